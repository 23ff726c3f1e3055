package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// Another program resizes the counter to another number whenever a Resize has set its own. The
// Resize ends, and the counter is exact.
func TestResize_two(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ to, other int }{{5, 2}, {2, 5}, {1, 2}} {
		each(t, func(t *testing.T, e engines.Engine) {
			b := newBox(t, e.Client(t), entity.Config{})
			config := shard.Config{Mode: shard.Approximate, Shards: 3}
			admin := b.counters(config)
			for range 20 {
				require.NoError(t, admin.Add(t.Context(), "a", 1))
			}
			const most = 10 // so that the test ends if the Resize does not
			wrote, answers := false, 0
			w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
				if wrote && operation == "GetItem" && answers < most {
					answers++
					require.NoError(t, admin.Resize(t.Context(), "a", c.other))
				}
				wrote = operation == "UpdateItem"
				return testfaults.Pass
			}}
			err := b.process(t, w).counters(config).Resize(t.Context(), "a", c.to)
			require.ErrorIs(t, err, trestle.ErrStale)
			require.Equal(t, 1, answers)
			requireShards(t, admin, "a", c.other)
			requireTotal(t, b.counters(config), "a", 20)
			require.NoError(t, b.counters(config).Resize(t.Context(), "a", c.to))
			requireTotal(t, admin, "a", 20)
		})
	}
}
