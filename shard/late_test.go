package shard_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// A request that opens shards again arrives after others have shrunk the counter. It opens none, so
// increments with an old number of shards are counted.
func TestLate_reopen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		config := shard.Config{Mode: shard.Approximate, Shards: 6, Refresh: time.Hour}
		admin, old := b.counters(config), b.counters(config)
		require.NoError(t, old.Add(t.Context(), "a", 1))
		require.NoError(t, admin.Resize(t.Context(), "a", 2))
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" {
				return testfaults.Delay
			}
			return testfaults.Pass
		}}
		require.Error(t, b.process(t, w).counters(config).Resize(t.Context(), "a", 5))
		require.NoError(t, admin.Resize(t.Context(), "a", 2))
		require.Positive(t, w.Delayed())
		require.NoError(t, w.Deliver())
		for range 30 {
			require.NoError(t, old.Add(t.Context(), "a", 1))
		}
		requireTotal(t, old, "a", 31)
		requireTotal(t, b.counters(config), "a", 31)
		requireShards(t, admin, "a", 2)
	})
}

// Each request of the first flush of a Writer arrives after its item was closed. It changes
// nothing.
func TestLate_registration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}
		for k := 1; k <= 4; k++ {
			name := fmt.Sprint(k)
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k || n == k+1 {
					return testfaults.Delay
				}
				return testfaults.Pass
			}}
			writer := b.process(t, w).counters(config).Writer()
			require.NoError(t, writer.Add(name, 7))
			for range 3 {
				_ = writer.Flush(t.Context())
			}
			require.Zero(t, writer.Pending(name))
			time.Sleep(time.Second) //nolint:forbidigo // it is the time of a bubble
			n, err := b.counters(config).Drain(t.Context(), name)
			require.NoError(t, err)
			require.EqualValues(t, 7, n)
			require.NoError(t, w.Deliver())
			requireTotal(t, b.counters(config), name, 7)
			require.NoError(t, writer.Add(name, 1))
			require.NoError(t, writer.Flush(t.Context()))
			requireTotal(t, b.counters(config), name, 8)
		}
	})
}
