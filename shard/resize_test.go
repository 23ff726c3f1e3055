package shard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

func requireShards(t testing.TB, c *shard.Counters, name string, want int) {
	t.Helper()
	info, err := c.Shards(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, shard.ShardInfo{Shards: want, Max: want}, info)
}

// The total is the same after each resize and drain, and increments of all processes count, those
// with an old number of shards too.
func TestResize(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				config := shard.Config{Mode: mode, Shards: 4}
				admin, old := b.counters(config), b.counters(config)
				want, key := int64(0), 0
				add := func(n int) {
					for range n {
						require.NoError(t, old.Add(t.Context(), "a", 1, keyFor(mode, key)...))
						want, key = want+1, key+1
					}
					requireTotal(t, old, "a", want)
					requireTotal(t, admin, "a", want)
					requireTotal(t, b.counters(config), "a", want)
				}
				requireShards(t, admin, "a", 4)
				add(15)
				for _, n := range []int{8, 3, 3, 8, 1, 120, 2, 5} {
					stale := b.counters(config)
					require.NoError(t, stale.Add(t.Context(), "a", 0, keyFor(mode, -1)...), "it knows the number before the resize")
					require.NoError(t, admin.Resize(t.Context(), "a", n))
					requireShards(t, admin, "a", n)
					for i := range 12 {
						require.NoError(t, stale.Add(t.Context(), "a", 1, keyFor(mode, key+i)...))
						require.NoError(t, stale.Add(t.Context(), "a", 0, keyFor(mode, -1)...), "the same key as before the resize")
					}
					want, key = want+12, key+12
					add(12)
					if n%2 == 0 {
						total, err := admin.Drain(t.Context(), "a")
						require.NoError(t, err)
						require.Equal(t, want, total)
						cached, err := admin.Cached(t.Context(), "a")
						require.NoError(t, err)
						require.Equal(t, want, cached.Value)
						requireTotal(t, old, "a", want)
						if n < 100 {
							snapshot, err := old.Snapshot(t.Context(), "a")
							require.NoError(t, err)
							require.Equal(t, want, snapshot)
						}
					}
				}
				if mode != shard.Approximate {
					for i := range key {
						require.NoError(t, old.Add(t.Context(), "a", 1, keyFor(mode, i)...), "each key counted once")
					}
					requireTotal(t, old, "a", want)
				}
			})
		})
	}
}

// After a drain, the shards are 0, and the total item has the sum. After a shrink, the upper shards
// are closed. Nothing else is left.
func TestDrain_items(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 6})
		for i := range 40 {
			require.NoError(t, votes.Add(t.Context(), "a", int64(i)))
		}
		_, err := votes.Drain(t.Context(), "a")
		require.NoError(t, err)
		shards := func(f func(i int, stored item)) {
			for i := range 6 {
				if stored := b.items(t)[fmt.Sprintf("$U#count#votes#a#%03d", i)]; stored != nil {
					f(i, stored)
				}
			}
		}
		shards(func(_ int, stored item) {
			require.Zero(t, numberOf(t, stored["n"]))
			require.Equal(t, 1, numberOf(t, stored["moves"]))
			require.Nil(t, stored["closed"])
		})
		require.Equal(t, 780, numberOf(t, b.items(t)["$U#count#votes#a#total"]["base"]))
		require.NoError(t, votes.Resize(t.Context(), "a", 2))
		shards(func(i int, stored item) {
			require.Zero(t, numberOf(t, stored["n"]))
			require.Equal(t, i >= 2, stored["closed"] != nil)
		})
		for key := range b.items(t) {
			require.True(t, strings.HasPrefix(key, "$U#count#votes#a#"), key)
		}
		requireTotal(t, votes, "a", 780)
	})
}

// What cannot be resized or drained is refused.
func TestResize_invalid(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{})
	for _, n := range []int{-1, 0, 1001} {
		requireKind(t, votes.Resize(t.Context(), "a", n), trestle.ErrInvalid, trestle.NotApplied)
	}
	for _, mode := range []shard.Mode{shard.Events, shard.WriterOwned} {
		c := b.counters(shard.Config{Mode: mode})
		requireKind(t, c.Resize(t.Context(), "a", 2), trestle.ErrInvalid, trestle.NotApplied)
	}
	require.Empty(t, b.items(t))
}

// A counter of 1000 shards works.
func TestResize_thousand(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Shards: 1000})
	for i := range 300 {
		require.NoError(t, votes.Add(t.Context(), "a", 1, keyFor(shard.ExactForever, i)...))
	}
	requireTotal(t, votes, "a", 300)
	_, err := votes.Snapshot(t.Context(), "a")
	requireKind(t, err, trestle.ErrLimit, trestle.NoWrite)
	total, err := votes.Drain(t.Context(), "a")
	require.NoError(t, err)
	require.EqualValues(t, 300, total)
	require.NoError(t, votes.Resize(t.Context(), "a", 99))
	requireShards(t, votes, "a", 99)
	total, err = votes.Snapshot(t.Context(), "a")
	require.NoError(t, err)
	require.EqualValues(t, 300, total)
	require.NoError(t, votes.Resize(t.Context(), "a", 1000))
	requireTotal(t, votes, "a", 300)
}

// An increment between the read of a shard and its closing transaction stays in the shard, and is
// moved by another transaction.
func TestResize_incrementMeanwhile(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Shards: 2})
		for i := range 20 {
			require.NoError(t, votes.Add(t.Context(), "a", 1, once(i)))
		}
		late := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" && late == 0 {
				for i := range 20 { // some of them have the second shard
					late++
					require.NoError(t, votes.Add(t.Context(), "a", 1, once(100+i)))
				}
			}
			return testfaults.Pass
		}}
		require.NoError(t, b.process(t, w).counters(shard.Config{}).Resize(t.Context(), "a", 1))
		require.Equal(t, 20, late)
		requireShards(t, votes, "a", 1)
		requireTotal(t, votes, "a", 40)
	})
}
