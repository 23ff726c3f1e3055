package shard_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// The reply of each request of the first flush is lost, also that of the registration. Drain then
// closes the item of the Writer, and the flush goes on. The total can be read, and is exact.
func TestWriter_registersAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}
		for k := 1; k <= 5; k++ {
			name, drained := fmt.Sprint(k), false
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				switch n {
				case k, k + 1: // both attempts
					return testfaults.Lose
				case k + 2:
					drained = true
					_, err := b.counters(config).Drain(t.Context(), name)
					require.NoError(t, err)
				}
				return testfaults.Pass
			}}
			writer := b.process(t, w).counters(config).Writer()
			for want := int64(7); want < 30; want += 7 {
				require.NoError(t, writer.Add(name, 7))
				if err := writer.Flush(t.Context()); err != nil {
					require.NoError(t, writer.Flush(t.Context()))
				}
				require.Zero(t, writer.Pending(name))
				requireTotal(t, b.counters(config), name, want)
				n, err := b.counters(config).Drain(t.Context(), name)
				require.NoError(t, err)
				require.Equal(t, want, n)
			}
			require.True(t, drained)
		}
	})
}

// Whenever Drain moves the value of a Writer, another Writer registers, and crashes. Drain ends,
// and leaves that one to the next Drain.
func TestDrain_registrations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}
		first := b.counters(config).Writer()
		require.NoError(t, first.Add("a", 5))
		require.NoError(t, first.Close(t.Context()))
		_, err := b.counters(config).Drain(t.Context(), "a")
		require.NoError(t, err, "the total item exists, without writers")
		register := func() {
			w := b.process(t, &testfaults.Wire{Decide: testfaults.CrashAt(3, testfaults.Drop)}).counters(config).Writer()
			require.NoError(t, w.Add("a", 1))
			require.Error(t, w.Flush(t.Context()))
		}
		register()
		const most = 10 // so that the test ends if Drain does not
		answers := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "TransactWriteItems" && answers < most {
				answers++
				register()
			}
			return testfaults.Pass
		}}
		n, err := b.process(t, w).counters(config).Drain(t.Context(), "a")
		require.NoError(t, err)
		require.EqualValues(t, 5, n)
		require.Equal(t, 1, answers)
		requireTotal(t, b.counters(config), "a", 5)
	})
}
