package shard_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// A roll-up stores the total with its time. A slow one never replaces a newer one.
func TestRollUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		b := newBox(t, e.Client(t), entity.Config{Clock: func() time.Time { return now }})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3})
		_, err := votes.Cached(t.Context(), "a")
		requireKind(t, err, trestle.ErrNotFound, trestle.NoWrite)
		require.NoError(t, votes.Add(t.Context(), "a", 5))
		_, err = votes.Cached(t.Context(), "a")
		requireKind(t, err, trestle.ErrNotFound, trestle.NoWrite)

		rollUp := func(want shard.RolledUp) {
			got, err := votes.RollUp(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, want, got)
			got, err = votes.Cached(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		noon := now
		rollUp(shard.RolledUp{Value: 5, AsOf: noon})
		require.NoError(t, votes.Add(t.Context(), "a", 1))
		rollUp(shard.RolledUp{Value: 6, AsOf: noon})
		now = noon.Add(time.Nanosecond)
		require.NoError(t, votes.Add(t.Context(), "a", 1))
		rollUp(shard.RolledUp{Value: 7, AsOf: now})
		newest := now
		require.NoError(t, votes.Add(t.Context(), "a", 1))
		now = noon // a run that began earlier, or whose clock is behind
		rollUp(shard.RolledUp{Value: 7, AsOf: newest})
		requireTotal(t, votes, "a", 8)

		rolled, err := votes.RollUp(t.Context(), "b")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{AsOf: noon}, rolled, "a counter without increments")
		require.NoError(t, votes.Add(t.Context(), "b", 1))
		requireTotal(t, votes, "b", 1)
	})
}

// A program whose clock is an hour ahead rolls up. For this hour its roll-up stays, but Drain and
// Total return the current value.
func TestDrain_besideAClockThatIsAhead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		noon := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		now := noon.Add(time.Hour)
		b := newBox(t, e.Client(t), entity.Config{Clock: func() time.Time { return now }})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3})
		require.NoError(t, votes.Add(t.Context(), "a", 5))
		ahead, err := votes.RollUp(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: 5, AsOf: now}, ahead)
		require.NoError(t, votes.Add(t.Context(), "a", 1))

		now = noon
		n, err := votes.Drain(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, int64(6), n)
		requireTotal(t, votes, "a", 6)
		cached, err := votes.Cached(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, ahead, cached)

		now = ahead.AsOf
		rolled, err := votes.RollUp(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: 6, AsOf: now}, rolled)
	})
}

// Whatever happens to the request of a roll-up, its repetition stores the total.
func TestRollUp_faults(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3})
		for i, f := range testfaults.All() {
			require.NoError(t, votes.Add(t.Context(), "a", 1))
			b.fail(f)
			got, err := votes.RollUp(t.Context(), "a")
			if err != nil {
				got, err = votes.RollUp(t.Context(), "a")
			}
			require.NoError(t, err, f.Name)
			require.EqualValues(t, i+1, got.Value)
			cached, err := votes.Cached(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, got, cached)
		}
	})
}
