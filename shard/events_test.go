package shard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// eventsOf returns the events of a counter by key.
func eventsOf(t testing.TB, c *shard.Counters, name string) map[string]shard.Event {
	t.Helper()
	found := map[string]shard.Event{}
	for e, err := range c.Events(t.Context(), name) {
		require.NoError(t, err)
		require.NotContains(t, found, e.Key)
		found[e.Key] = e
	}
	return found
}

// Each increment is an event, once, and the total is their sum.
func TestEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		b := newBox(t, e.Client(t), entity.Config{Clock: func() time.Time { return now }})
		config := shard.Config{Mode: shard.Events, Shards: 3}
		visits := b.counters(config)
		want, total := map[string]shard.Event{}, int64(0)
		for i := range 40 {
			key := fmt.Sprintf("#%d$\x00 é", i)
			want[key] = shard.Event{Key: key, N: int64(i - 5), At: now}
			total += int64(i - 5)
			for range 2 {
				require.NoError(t, visits.Add(t.Context(), "a", int64(i-5), shard.Once(key)))
			}
			// The number of shards is the stored one, also for a program that declares another.
			other := b.counters(shard.Config{Mode: shard.Events, Shards: 7})
			require.NoError(t, other.Add(t.Context(), "a", int64(i-5), shard.Once(key)))
		}
		require.NoError(t, visits.Add(t.Context(), "b", 1, shard.Once("k")))
		require.Equal(t, want, eventsOf(t, visits, "a"))
		requireTotal(t, visits, "a", total)
		requireTotal(t, visits, "c", 0)
		require.Empty(t, eventsOf(t, visits, "c"))
		totals, err := visits.Totals(t.Context(), "a", "b", "c")
		require.NoError(t, err)
		require.Equal(t, map[string]int64{"a": total, "b": 1, "c": 0}, totals)
		rolled, err := visits.RollUp(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: total, AsOf: now}, rolled)
		requireFirst(t, visits.Events(t.Context(), "a"))
		requireKind(t, visits.Add(t.Context(), "b", 2, shard.Once("k")), trestle.ErrCondition, trestle.NotApplied)

		partitions := map[string]bool{}
		for key := range b.items(t) {
			if strings.HasPrefix(key, "$U#event#votes#a#") {
				partition, _, _ := strings.Cut(key, "/")
				partitions[partition] = true
			}
		}
		require.Equal(t, map[string]bool{"$U#event#votes#a#000": true, "$U#event#votes#a#001": true, "$U#event#votes#a#002": true}, partitions)
	})
}

// Whatever happens to the request of an event, its repetition stores it once.
func TestEvents_faults(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		visits := b.counters(shard.Config{Mode: shard.Events})
		require.NoError(t, visits.Add(t.Context(), "a", 1, shard.Once("first")))
		for i, f := range testfaults.All() {
			b.fail(f)
			if err := visits.Add(t.Context(), "a", 1, shard.Once(f.Name)); err != nil {
				require.NoError(t, visits.Add(t.Context(), "a", 1, shard.Once(f.Name)), f.Name)
			}
			b.fail(f)
			requireKind(t, visits.Add(t.Context(), "a", 2, shard.Once("first")), trestle.ErrCondition, trestle.NotApplied, f.Name)
			requireTotal(t, visits, "a", int64(i+2))
		}
	})
}

// What events cannot do is refused, and what they cost is documented.
func TestEvents_limits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	visits := b.counters(shard.Config{Mode: shard.Events, Shards: 4})
	requireKind(t, visits.Add(ctx, "a", 1), trestle.ErrInvalid, trestle.NotApplied)
	requireKind(t, visits.Add(ctx, "a", 1, shard.Once(strings.Repeat("x", 1025))), trestle.ErrLimit, trestle.NotApplied)
	_, err := visits.Snapshot(ctx, "a")
	requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	_, err = visits.Drain(ctx, "a")
	requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied)
	for _, err := range b.counters(shard.Config{}).Events(ctx, "a") {
		requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	}
	for _, err := range visits.Events(ctx, "") {
		requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	}
	require.Empty(t, b.items(t))
	b.requireCost(t, 0.5, 2, func() error { return visits.Add(ctx, "a", 1, shard.Once("k")) })
	b.requireCost(t, 0, 1, func() error { return visits.Add(ctx, "a", 1, shard.Once("l")) })
	b.requireCost(t, 5, 0, func() error { _, err := visits.Total(ctx, "a"); return err })

	for key := range b.items(t) {
		if strings.Contains(key, "/l") {
			partition, _, _ := strings.Cut(key, "/")
			b.put(t, item{"PK": text(partition), "SK": text("l")})
		}
	}
	_, err = visits.Total(ctx, "a")
	requireUnreadable(t, err)
	failed := false
	for _, err := range visits.Events(ctx, "a") {
		failed = failed || err != nil
	}
	require.True(t, failed)
}
