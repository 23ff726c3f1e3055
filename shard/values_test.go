package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// The values are those of the stored shards, in their order. A drain leaves 0 in each.
func TestShardValues(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Shards: 3})
		var total int64
		for i := range 20 {
			require.NoError(t, votes.Add(ctx, "a", int64(i), once(i)))
			total += int64(i)
		}
		values, err := b.counters(shard.Config{}).ShardValues(ctx, "a")
		require.NoError(t, err)
		stored, sum := b.items(t), int64(0)
		for i, name := range []string{"#000", "#001", "#002"} {
			require.Equal(t, int64(numberOf(t, stored["$U#count#votes#a"+name]["n"])), values[i])
			sum += values[i]
		}
		require.Equal(t, total, sum)

		_, err = votes.Drain(ctx, "a")
		require.NoError(t, err)
		values, err = votes.ShardValues(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, make([]int64, 3), values)
	})
}

// An unreadable shard is an error, and so are modes without numbered shards.
func TestShardValues_errors(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{})
	require.NoError(t, votes.Add(ctx, "a", 1, once(1)))
	b.change(t, "$U#count#votes#a#000", "n", nil)
	_, err := votes.ShardValues(ctx, "a")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "#a")
	for _, mode := range []shard.Mode{shard.Events, shard.WriterOwned} {
		_, err := b.counters(shard.Config{Mode: mode}).ShardValues(ctx, "a")
		requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
	}
}
