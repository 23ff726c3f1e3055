package shard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// Delete leaves nothing of a counter but the markers, and nothing of others is deleted.
func TestDelete(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate, shard.Events} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				votes := b.counters(shard.Config{Mode: mode, Shards: 40, Listed: true})
				require.NoError(t, votes.Add(t.Context(), "b", 1, keyFor(mode, 0)...))
				before := b.items(t)
				for i := range 60 {
					require.NoError(t, votes.Add(t.Context(), "a", 1, keyFor(mode, i)...))
				}
				if mode != shard.Events {
					require.NoError(t, votes.Resize(t.Context(), "a", 3))
				}
				require.NoError(t, votes.Delete(t.Context(), "a"))
				after := b.items(t)
				for key := range after {
					if strings.HasPrefix(key, "$U#mark#votes#a#") {
						delete(after, key)
					}
				}
				require.Equal(t, before, after)
				require.NoError(t, votes.Delete(t.Context(), "a"), "again")
				requireTotal(t, votes, "a", 0)
				require.Equal(t, []string{"b"}, namesOf(t, votes))

				require.NoError(t, votes.Add(t.Context(), "a", 1, keyFor(mode, 1000)...))
				requireTotal(t, votes, "a", 1)
				require.Equal(t, []string{"a", "b"}, namesOf(t, votes))
			})
		})
	}
}

// A Delete that fails can be repeated.
func TestDelete_faults(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 3})
	for k := 1; ; k++ {
		for range 20 {
			require.NoError(t, votes.Add(t.Context(), "a", 1))
		}
		w := &testfaults.Wire{Decide: testfaults.CrashAt(k, testfaults.Drop)}
		err := b.process(t, w).counters(shard.Config{Mode: shard.Approximate, Shards: 3}).Delete(t.Context(), "a")
		require.NoError(t, votes.Delete(t.Context(), "a"))
		require.Empty(t, b.items(t))
		if err == nil {
			require.Greater(t, k, 3)
			return
		}
	}
}
