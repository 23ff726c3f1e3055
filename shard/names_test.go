package shard_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// namesOf returns all names of a family, sorted.
func namesOf(t testing.TB, c *shard.Counters) (names []string) {
	t.Helper()
	for name, err := range c.Names(t.Context()) {
		require.NoError(t, err)
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A list has the name of each counter, whatever it contains, once.
func TestNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		config := shard.Config{Mode: shard.Approximate, Listed: true}
		votes := b.counters(config)
		require.Empty(t, namesOf(t, votes))
		want := []string{"a#b", "a$", "#", "é", "$U"}
		for i := range 40 {
			want = append(want, fmt.Sprintf("name %d", i))
		}
		for range 2 {
			for _, name := range want {
				require.NoError(t, votes.Add(t.Context(), name, 1))
				require.NoError(t, b.counters(config).Add(t.Context(), name, 1))
			}
		}
		require.NoError(t, votes.List(t.Context(), "one more", "a#b"))
		want = append(want, "one more")
		slices.Sort(want)
		require.Equal(t, want, namesOf(t, votes))
		requireFirst(t, votes.Names(t.Context()))
		other := shard.NewCounters(b.table, "others", config)
		require.Empty(t, namesOf(t, other), "each family has its own list")
		totals, err := votes.Totals(t.Context(), want...)
		require.NoError(t, err)
		for _, name := range want {
			require.EqualValues(t, map[bool]int{false: 4, true: 0}[name == "one more"], totals[name], name)
		}
	})
}

// Names that are known need no list.
func TestNames_fixed(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Names: []string{"b", "a"}})
	require.Equal(t, []string{"a", "b"}, namesOf(t, votes))
	requireKind(t, votes.List(t.Context(), "a"), trestle.ErrInvalid, trestle.NotApplied)
	requireKind(t, votes.Add(t.Context(), "c", 1, shard.Once("k")), trestle.ErrInvalid, trestle.NotApplied)
	_, err := votes.Total(t.Context(), "c")
	requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	requireFirst(t, votes.Names(t.Context()))
	for _, err := range b.counters(shard.Config{}).Names(t.Context()) {
		requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	}
	_, err = b.counters(shard.Config{}).Top(t.Context(), 3)
	requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	requireKind(t, b.counters(shard.Config{}).RollUpAll(t.Context()), trestle.ErrInvalid, trestle.NotApplied)
}

// The counters with the highest values come first, and equal ones by their names.
func TestTop(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3, Listed: true})
		for name, n := range map[string]int64{"a": 5, "b": 7, "c": 5, "d": -1, "e": 0} {
			require.NoError(t, votes.Add(t.Context(), name, n))
		}
		want := []shard.Standing{{"b", 7}, {"a", 5}, {"c", 5}, {"e", 0}, {"d", -1}}
		for _, n := range []int{1, 2, 3, 5, 100} {
			got, err := votes.Top(t.Context(), n)
			require.NoError(t, err)
			require.Equal(t, want[:min(n, 5)], got)
		}
		got, err := votes.TopCached(t.Context(), 3)
		require.NoError(t, err)
		require.Empty(t, got, "nothing is rolled up")
		_, err = votes.RollUp(t.Context(), "c")
		require.NoError(t, err)
		got, err = votes.TopCached(t.Context(), 3)
		require.NoError(t, err)
		require.Equal(t, []shard.Standing{{"c", 5}}, got)
		require.NoError(t, votes.RollUpAll(t.Context()))
		require.NoError(t, votes.Add(t.Context(), "d", 100))
		got, err = votes.TopCached(t.Context(), 3)
		require.NoError(t, err)
		require.Equal(t, want[:3], got)
		for _, n := range []int{0, -1} {
			_, err = votes.Top(t.Context(), n)
			requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
			_, err = votes.TopCached(t.Context(), n)
			requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
		}
	})
}

// Top reads many counters in few requests, and one counter that cannot be read does not keep the
// others from being rolled up.
func TestRollUpAll(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Mode: shard.Approximate, Listed: true})
	for i := range 120 {
		require.NoError(t, votes.Add(t.Context(), fmt.Sprintf("%03d", i), int64(i)))
	}
	cost := b.db.Measure(func() {
		got, err := votes.Top(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, []shard.Standing{{"119", 119}}, got)
	})
	require.Equal(t, 3, cost.Total("BatchGetItem"), "240 items")
	require.Equal(t, 16, cost.Total("Query"))
	require.NoError(t, votes.RollUpAll(t.Context()))
	b.change(t, "$U#count#votes#050#000", "n", text("x"))
	require.NoError(t, votes.Add(t.Context(), "100", 1))
	requireUnreadable(t, votes.RollUpAll(t.Context()))
	cached, err := votes.Cached(t.Context(), "100")
	require.NoError(t, err)
	require.EqualValues(t, 101, cached.Value)
	cached, err = votes.Cached(t.Context(), "050")
	require.NoError(t, err)
	require.EqualValues(t, 50, cached.Value)
}
