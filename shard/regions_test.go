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

// Each Region counts in items of its own, and totals are those of all Regions.
func TestRegions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		for _, mode := range []shard.Mode{shard.Approximate, shard.Events} {
			regions := []string{"eu-west-1", "us-east-1", "a#b"}
			in := func(region string) *shard.Counters {
				return shard.NewCounters(b.table, mode.String(), shard.Config{Mode: mode, Shards: 3, Region: region, Regions: regions, Listed: true})
			}
			want := int64(0)
			written := map[string]map[string]item{}
			for i, region := range regions {
				before := b.items(t)
				for j := range 10 {
					require.NoError(t, in(region).Add(t.Context(), "a", int64(i+1), keyFor(mode, j)...))
					want += int64(i + 1)
				}
				written[region] = b.items(t)
				for key, stored := range before {
					if stringOf(stored["_type"]) == "$U#count" || stringOf(stored["_type"]) == "$U#event" {
						require.Equal(t, stored, written[region][key], "an item has one Region that writes it")
					}
				}
			}
			for _, region := range regions {
				requireTotal(t, in(region), "a", want)
				top, err := in(region).Top(t.Context(), 1)
				require.NoError(t, err)
				require.Equal(t, []shard.Standing{{"a", want}}, top)
				_, err = in(region).Cached(t.Context(), "a")
				require.ErrorIs(t, err, trestle.ErrNotFound)
				rolled, err := in(region).RollUp(t.Context(), "a")
				require.NoError(t, err)
				require.Equal(t, want, rolled.Value)
			}
			if mode == shard.Approximate {
				require.NoError(t, in("us-east-1").Resize(t.Context(), "a", 6))
				requireTotal(t, in("eu-west-1"), "a", want)
				requireShards(t, in("us-east-1"), "a", 6)
				requireShards(t, in("eu-west-1"), "a", 3)
			}
			require.NoError(t, in("us-east-1").Delete(t.Context(), "a"))
			requireTotal(t, in("eu-west-1"), "a", 0)
		}
		require.Empty(t, b.items(t))
	})
}

// What needs a transaction is refused on a global table, with the reason.
func TestRegions_refused(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	for name, c := range map[string]shard.Config{
		"eventually consistent": {Mode: shard.Approximate, Shards: 3, Region: "a", Regions: []string{"a", "b"}},
		"strongly consistent":   {Mode: shard.Approximate, Shards: 3, MultiRegionStrong: true},
	} {
		votes := shard.NewCounters(b.table, "votes", c)
		require.NoError(t, votes.Add(ctx, name, 1), "what needs none works")
		requireTotal(t, votes, name, 1)
		require.NoError(t, votes.Resize(ctx, name, 5))
		_, err := votes.Snapshot(ctx, name)
		requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite, name)
		_, err = votes.Drain(ctx, name)
		requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied, name)
		requireKind(t, votes.Resize(ctx, name, 2), trestle.ErrInvalid, trestle.NotApplied, name)
		requireShards(t, votes, name, 5)
		for _, mode := range exactModes {
			c.Mode = mode
			err := shard.NewCounters(b.table, "votes", c).Add(ctx, name, 1, shard.Once("k"))
			requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied, name)
		}
		requireTotal(t, votes, name, 1)
	}
}
