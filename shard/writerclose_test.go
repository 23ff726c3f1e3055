package shard_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
)

// Drain moves the values of a closed Writer at once, and readers then read no item of it. Close
// writes each item once, and nothing again.
func TestWriter_close(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		views := b.counters(owned)
		open, closed := views.Writer(), views.Writer()
		require.NoError(t, open.Add("a", 1))
		require.NoError(t, open.Flush(ctx))
		require.NoError(t, closed.Add("a", 2))
		require.NoError(t, closed.Flush(ctx))
		require.NoError(t, closed.Add("b", 3))
		require.NoError(t, closed.Close(ctx))
		require.NoError(t, closed.Close(ctx))
		requireKind(t, closed.Add("a", 1), trestle.ErrInvalid, trestle.NotApplied)
		for name, want := range map[string]int64{"a": 3, "b": 3} {
			total, err := views.Drain(ctx, name)
			require.NoError(t, err)
			require.Equal(t, want, total)
			requireTotal(t, views, name, want)
		}
		left := 0
		for key, stored := range b.items(t) {
			if strings.Contains(key, "#w#") && stored["closed"] == nil {
				left++
			}
		}
		require.Equal(t, 1, left, "the item of the open Writer")
		sent := b.faulty.All.Load()
		require.NoError(t, closed.Close(ctx), "all has been moved")
		require.Equal(t, sent, b.faulty.All.Load())
	})
}

// If Drain has moved all of a Writer's sum, Close stores nothing, so readers read no item of it.
func TestWriter_closeAfterDrain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		views := b.counters(shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond})
		w := views.Writer()
		require.NoError(t, w.Add("a", 2))
		require.NoError(t, w.Flush(ctx))
		_, err := views.Drain(ctx, "a")
		require.NoError(t, err)
		stored := len(b.items(t))
		require.NoError(t, w.Close(ctx))
		require.Len(t, b.items(t), stored)
		requireTotal(t, views, "a", 2)
	})
}

// A flush without a reply may be stored, so the next one is sent, also if the increments add up to
// what is known to be stored.
func TestWriter_unsure(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		now := testfaults.Pass
		views := b.process(t, &testfaults.Wire{Decide: func(int, string) testfaults.Fate { return now }}).counters(owned)
		w := views.Writer()
		require.NoError(t, w.Add("a", 1))
		require.NoError(t, w.Flush(ctx))
		require.NoError(t, w.Add("a", 5))
		now = testfaults.Lose
		requireKind(t, w.Flush(ctx), trestle.ErrUnknown, trestle.Unknown)
		now = testfaults.Pass
		require.NoError(t, w.Add("a", -5))
		require.NoError(t, w.Flush(ctx))
		require.EqualValues(t, 1, w.Durable("a"))
		require.Zero(t, w.Pending("a"))
		requireTotal(t, views, "a", 1)
	})
}
