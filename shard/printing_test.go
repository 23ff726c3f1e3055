package shard_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// No error prints the name of a counter, a key or a number.
func TestErrorsPrintNoValues(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	ctx := t.Context()
	const name, key, n = "canary-name", "canary-key", 770077
	printed := 0
	check := func(err error) {
		t.Helper()
		if err == nil {
			return
		}
		printed++
		asJSON, failed := json.Marshal(err)
		require.NoError(t, failed)
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err), string(asJSON)} {
			require.NotContains(t, text, "canary")
			require.NotContains(t, text, "770077")
		}
	}
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Approximate, shard.Events} {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		c := b.counters(shard.Config{Mode: mode})
		option := []shard.AddOption{shard.Once(key)}
		if mode == shard.Approximate {
			option = nil
		}
		for _, f := range testfaults.All() {
			b.fail(f)
			check(c.Add(ctx, name, n, option...))
			b.fail(f)
			check(c.Resize(ctx, name, 2))
			b.fail(f)
			_, err := c.Drain(ctx, name)
			check(err)
			b.fail(f)
			_, err = c.RollUp(ctx, name)
			check(err)
		}
		b.faulty.Fault.Store(nil)
		check(c.Add(ctx, name, n, option...))
		check(c.Add(ctx, name, n+1, option...))
		check(tx.Write(ctx, c.Op(name, n, shard.Once(key))))
		check(c.Add(ctx, name+"\xff", n, option...))
		for _, stored := range b.items(t) {
			if stored["n"] != nil {
				stored["n"] = text("canary")
				b.put(t, stored)
			}
		}
		check(c.Add(ctx, name, n, option...))
		_, err := c.Total(ctx, name)
		check(err)
		b.db.Fail(ddbtest.Reset)
		check(c.Delete(ctx, name))
		_, err = c.Snapshot(ctx, name)
		check(err)
	}
	require.Greater(t, printed, 20)
}
