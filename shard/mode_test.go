package shard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// count adds 1 to a counter in a mode.
func count(ctx context.Context, c *shard.Counters, mode shard.Mode, name, key string) error {
	switch mode {
	case shard.WriterOwned:
		w := c.Writer()
		if err := w.Add(name, 1); err != nil {
			return err
		}
		return w.Flush(ctx)
	case shard.Approximate:
		return c.Add(ctx, name, 1)
	default:
		return c.Add(ctx, name, 1, shard.Once(key))
	}
}

// A program in another mode than the one that created a counter continues it, if the values are in
// the same items. Otherwise it fails, instead of counting and reading 0 elsewhere.
func TestMode_changed(t *testing.T) {
	t.Parallel()
	form := map[shard.Mode]string{shard.Events: "events", shard.WriterOwned: "writers"}
	modes := []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate, shard.Events, shard.WriterOwned}
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		for _, first := range modes {
			for _, next := range modes {
				name := first.String() + next.String()
				before, after := b.counters(shard.Config{Mode: first}), b.counters(shard.Config{Mode: next})
				require.NoError(t, count(ctx, before, first, name, "first"))
				err := count(ctx, after, next, name, "next")
				total, unread := b.counters(shard.Config{Mode: next}).Total(ctx, name)
				if form[first] == form[next] {
					require.NoError(t, err, name)
					require.NoError(t, unread, name)
					require.EqualValues(t, 2, total, name)
					continue
				}
				requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied, name)
				requireKind(t, unread, trestle.ErrInvalid, trestle.NoWrite, name)
				requireTotal(t, before, name, 1)
			}
		}
	})
}
