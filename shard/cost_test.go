package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// Each call costs what its documentation says.
func TestCost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, c := range []struct {
		mode  shard.Mode
		write float64
	}{{shard.ExactForever, 4}, {shard.ExactWindow, 2}, {shard.Approximate, 1}} {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: c.mode, Shards: 10})
		add := func(i int) func() error {
			return func() error { return votes.Add(ctx, "a", 1, keyFor(c.mode, i)...) }
		}
		b.requireCost(t, 0.5, c.write+1, add(0), "the first one stores the number of shards")
		b.requireCost(t, 0, c.write, add(1), c.mode.String())
		if c.mode == shard.ExactWindow {
			b.requireCost(t, 2, 0, add(1), "a repetition")
		}
		other := b.counters(shard.Config{Mode: c.mode})
		b.requireCost(t, 0.5, c.write, func() error { return other.Add(ctx, "a", 1, keyFor(c.mode, 2)...) }, "the first one of another process")
		b.requireCost(t, 11, 0, func() error { _, err := votes.Total(ctx, "a"); return err })
		b.requireCost(t, 22, 0, func() error { _, err := votes.Snapshot(ctx, "a"); return err })
		b.requireCost(t, 11, 1, func() error { _, err := votes.RollUp(ctx, "a"); return err })
		b.requireCost(t, 0.5, 0, func() error { _, err := votes.Cached(ctx, "a"); return err })
	}
}

// requireCost requires the read and write units of a call on ddbtest.
func (b *box) requireCost(t testing.TB, read, write float64, f func() error, message ...any) {
	t.Helper()
	cost := b.db.Measure(func() { require.NoError(t, f(), message...) })
	require.Equal(t, [2]float64{read, write}, [2]float64{cost.ReadUnits, cost.WriteUnits}, message...)
}
