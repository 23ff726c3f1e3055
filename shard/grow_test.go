package shard_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A counter whose shard is throttled doubles its shards, at most once in GrowEvery, up to
// MaxShards.
func TestGrow(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db := ddbtest.Start(t)
				b := newBox(t, db.Client(), entity.Config{Clock: db.Now})
				config := shard.Config{Mode: mode, MaxShards: 6, GrowEvery: 5 * time.Second}
				votes, other := b.counters(config), b.counters(config)
				fixed := b.counters(shard.Config{Mode: mode})
				db.LimitPartitions(ddbtest.Units{Write: 20})
				want, key, refused, seen := int64(0), 0, 0, []int{1}
				add := func(c *shard.Counters, n int) {
					for range n {
						key++
						switch err := c.Add(t.Context(), "a", 1, keyFor(mode, key)...); trestle.OutcomeOf(err) {
						case trestle.Applied:
							want++
						case trestle.NotApplied:
							require.True(t, trestle.IsThrottled(err), "%v", err)
							refused++
						default:
							require.NoError(t, err)
						}
					}
				}
				add(fixed, 60)
				requireShards(t, votes, "a", 1)
				for range testsize.Sequential(120, 200, 200) {
					add(votes, 20)
					add(other, 2)
					info, err := votes.Shards(t.Context(), "a")
					require.NoError(t, err)
					if n := info.Shards; n != seen[len(seen)-1] {
						seen = append(seen, n)
					}
					time.Sleep(time.Second / 6) //nolint:forbidigo // it is the time of a bubble
				}
				require.Equal(t, []int{1, 2, 4, 6}, seen)
				if mode == shard.Approximate { // the others are retried longer
					require.Positive(t, refused)
				}
				db.LimitPartitions(ddbtest.Units{})
				requireTotal(t, votes, "a", want)
			})
		})
	}
}

// Growth is not more frequent than GrowEvery, also among several programs.
func TestGrow_every(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now})
		config := shard.Config{Mode: shard.Approximate, MaxShards: 100, GrowEvery: time.Minute}
		require.NoError(t, b.counters(config).Add(t.Context(), "a", 1))
		throttle := func() {
			for i := range 5 { // each another program
				rule := db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Times(1), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
				require.NoError(t, b.counters(config).Add(t.Context(), "a", 1), "a retry succeeds")
				require.Equal(t, 1, rule.Hits(), i)
				rule.Remove()
			}
		}
		for _, want := range []int{2, 4, 8} {
			throttle()
			requireShards(t, b.counters(config), "a", want)
			db.Advance(time.Minute)
		}
		requireTotal(t, b.counters(config), "a", 16)
		db.Advance(-time.Hour) // the clock of a machine is corrected
		throttle()
		requireShards(t, b.counters(config), "a", 16)
	})
}

// Throttling of the whole table does not let a counter grow, and a failure to grow is not that of
// the increment.
func TestGrow_failure(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Mode: shard.Approximate, MaxShards: 8})
	require.NoError(t, votes.Add(t.Context(), "a", 1))
	rule := b.db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Times(1), ddbtest.Throttle("TableWriteMaxOnDemandThroughputExceeded"))
	require.NoError(t, votes.Add(t.Context(), "a", 1))
	rule.Remove()
	requireShards(t, votes, "a", 1)

	b.db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
	b.db.Fail(ddbtest.Op("GetItem"), ddbtest.Reset)
	require.NoError(t, votes.Add(t.Context(), "a", 1))
	b.db.ClearFaults()
	requireShards(t, votes, "a", 1)
	requireTotal(t, votes, "a", 3)
}

// Increments of a transaction that is canceled are sent once more after the counter has grown.
func TestGrow_again(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, mode := range exactModes {
			b := newBox(t, ddbtest.Client(t), entity.Config{})
			votes := b.counters(shard.Config{Mode: mode, MaxShards: 8})
			require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("first")))
			rule := b.db.Fail(ddbtest.Op("TransactWriteItems"), ddbtest.Times(9), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
			err := votes.Add(t.Context(), "a", 1, shard.Once("second"))
			require.NoError(t, err, fmt.Sprint(mode, rule.Hits()))
			requireShards(t, votes, "a", 2)
			requireTotal(t, votes, "a", 2)
		}
	})
}

// A key of the caller may have been used by an earlier call. A conflict shows in mode ExactWindow
// that no call with the key was applied. Throttling does not show it.
func TestKeyOfACallThatFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.ExactWindow})
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("first")))
		for outcome, effect := range map[trestle.Outcome]ddbtest.Effect{trestle.NotApplied: ddbtest.Conflict, trestle.Unknown: ddbtest.Throttle()} {
			rule := b.db.Fail(ddbtest.Op("TransactWriteItems"), effect)
			err := votes.Add(t.Context(), "a", 1, shard.Once("second"))
			rule.Remove()
			require.Equal(t, outcome, trestle.OutcomeOf(err), "%v", err)
		}
		requireTotal(t, votes, "a", 1)
	})
}
