package shard_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// A name is refused, before anything is sent, exactly if an item of its counter could not have a
// key.
func TestLongNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		for what, c := range map[string]struct {
			config  shard.Config
			longest int
		}{
			"shards":  {shard.Config{Mode: shard.ExactWindow, Shards: 16}, 2048 - len("$U#count#votes##total")},
			"writers": {shard.Config{Mode: shard.WriterOwned}, 2048 - len("$U#count#votes##w#") - 26},
			"events":  {shard.Config{Mode: shard.Events}, 2048 - len("$U#count#votes##total")},
			"listed":  {shard.Config{Mode: shard.Approximate, Listed: true}, 1024},
			"Regions": {shard.Config{Mode: shard.Approximate, Region: "b", Regions: []string{"b", "far-away-2"}}, 2048 - len("$U#count#votes##far-away-2#total")},
		} {
			counters, name := b.counters(c.config), strings.Repeat("n", c.longest)
			require.NoError(t, count(ctx, counters, c.config.Mode, name, "k"), what)
			requireTotal(t, counters, name, 1)
			sent := b.faulty.All.Load()
			requireKind(t, count(ctx, counters, c.config.Mode, name+"n", "k"), trestle.ErrLimit, trestle.NotApplied, what)
			require.Equal(t, sent, b.faulty.All.Load(), what)
			require.NoError(t, counters.Delete(ctx, name), what)
		}
	})
}

// A counter never has more shards than its keys have numbers.
func TestKeys_width(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		keys := shard.Keys{Shard: "<name>#<shard>", ShardSort: "S", Total: "<name>#Total", TotalSort: "T", First: 1, Width: 2, Count: "c", TotalCount: "t"}
		votes := b.counters(shard.Config{Mode: shard.Approximate, Keys: &keys})
		for range 10 {
			require.NoError(t, votes.Add(ctx, "a", 1))
		}
		requireKind(t, votes.Resize(ctx, "a", 100), trestle.ErrInvalid, trestle.NotApplied)
		require.NoError(t, votes.Resize(ctx, "a", 99))
		requireTotal(t, votes, "a", 10)
		require.NoError(t, votes.Resize(ctx, "a", 1))
		requireTotal(t, votes, "a", 10)
	})
}

// A roll-up never replaces a newer one of the same second, although the attribute Updated has whole
// seconds.
func TestRollUp_sameSecond(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		now := at
		b := newBox(t, e.Client(t), entity.Config{Clock: func() time.Time { return now }})
		keys := shard.Keys{Shard: "<name>#<shard>", ShardSort: "S", Total: "<name>#Total", TotalSort: "T", Count: "c", TotalCount: "t", Updated: "u"}
		votes := b.counters(shard.Config{Mode: shard.Approximate, Keys: &keys})
		require.NoError(t, votes.Add(ctx, "a", 5))
		now = at.Add(900 * time.Millisecond)
		newer, err := votes.RollUp(ctx, "a")
		require.NoError(t, err)
		require.NoError(t, votes.Add(ctx, "a", 1))
		now = at.Add(100 * time.Millisecond)
		for range 2 {
			older, err := votes.RollUp(ctx, "a")
			require.NoError(t, err)
			require.Equal(t, newer, older)
		}
		cached, err := votes.Cached(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: 5, AsOf: at.Add(900 * time.Millisecond)}, cached)

		// Another program, which does not know this package, stores a total.
		stored := b.items(t)["a#Total"]
		stored["t"], stored["u"] = number("77"), text("2026-08-01T12:00:07")
		b.put(t, stored)
		cached, err = votes.Cached(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, shard.RolledUp{Value: 77, AsOf: at.Add(7 * time.Second)}, cached)
	})
}
