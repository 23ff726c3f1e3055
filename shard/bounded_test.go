package shard_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// bounded returns the counters with a limit of the family "votes".
func (b *box) bounded(c shard.BoundedConfig) *shard.Bounded {
	return shard.NewBounded(b.table, "votes", c)
}

// requireLeft requires what is left of a counter, and that the quota of all items is the limit.
func (b *box) requireLeft(t testing.TB, of *shard.Bounded, name string, limit, taken int64) {
	t.Helper()
	left, err := of.Left(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, shard.Remaining{Limit: limit, Taken: taken, Left: limit - taken}, left)
	b.requireSum(t, name)
}

// requireSum requires that the quota of all items is the limit, that none is negative, and that the
// markers are what was taken.
func (b *box) requireSum(t testing.TB, name string) {
	t.Helper()
	limit, free, taken, marked := 0, 0, 0, 0
	for key, i := range b.items(t) {
		switch {
		case strings.HasPrefix(key, "$U#limit#votes#"+name+"#"):
			limit += numberOf(t, i["limit"])
			require.GreaterOrEqual(t, numberOf(t, i["free"]), 0, key)
			require.GreaterOrEqual(t, numberOf(t, i["taken"]), 0, key)
			free += numberOf(t, i["free"])
			taken += numberOf(t, i["taken"])
			require.Equal(t, text("$U#limit"), i["_type"])
		case strings.HasPrefix(key, "$U#taken#votes#"+name+"#"):
			if i["returned"] == nil {
				marked += numberOf(t, i["n"])
			}
			require.Equal(t, text("$U#taken"), i["_type"])
		}
	}
	require.Equal(t, limit, free+taken)
	require.Equal(t, taken, marked)
}

// numeric is a number of an item.
type numeric = *types.AttributeValueMemberN

func once(i ...any) shard.AddOption { return shard.Once(fmt.Sprint(i...)) }

// All of the limit is taken, and no more, wherever the quota is.
func TestBounded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		for _, c := range []shard.BoundedConfig{{}, {Shards: 5}, {Shards: 5, Grant: 7}, {Shards: 99, Grant: 1}} {
			name := fmt.Sprint(c.Shards, c.Grant)
			seats := b.bounded(c)
			requireKind(t, seats.Take(ctx, name, 1, once("k")), trestle.ErrNotFound, trestle.NotApplied)
			requireKind(t, seats.Return(ctx, name, "k"), trestle.ErrNotFound, trestle.NotApplied)
			_, err := seats.Left(ctx, name)
			requireKind(t, err, trestle.ErrNotFound, trestle.NoWrite)

			require.NoError(t, seats.SetLimit(ctx, name, 20))
			b.requireLeft(t, seats, name, 20, 0)
			for i := range 10 {
				require.NoError(t, seats.Take(ctx, name, 1, once(i)))
				require.NoError(t, seats.Take(ctx, name, 1, once(i)), "a repetition")
			}
			b.requireLeft(t, seats, name, 20, 10)
			requireKind(t, seats.Take(ctx, name, 2, once(3)), trestle.ErrExists, trestle.NotApplied)
			requireKind(t, seats.Take(ctx, name, 11, once("many")), trestle.ErrCondition, trestle.NotApplied)
			require.NoError(t, b.bounded(shard.BoundedConfig{}).Take(ctx, name, 3, once("three")))
			require.NoError(t, seats.Take(ctx, name, 7, once("rest")))
			b.requireLeft(t, seats, name, 20, 20)
			requireKind(t, seats.Take(ctx, name, 1, once("k")), trestle.ErrCondition, trestle.NotApplied)
			require.NoError(t, seats.Take(ctx, name, 7, once("rest")), "a repetition")

			for range 2 {
				require.NoError(t, seats.Return(ctx, name, "rest"))
				b.requireLeft(t, seats, name, 20, 13)
			}
			requireKind(t, seats.Take(ctx, name, 7, once("rest")), trestle.ErrExists, trestle.NotApplied)
			requireKind(t, seats.Return(ctx, name, "k"), trestle.ErrNotFound, trestle.NotApplied)
			require.NoError(t, seats.Take(ctx, name, 5, once("k")))
			b.requireLeft(t, seats, name, 20, 18)

			require.NoError(t, seats.SetLimit(ctx, name, 30))
			b.requireLeft(t, seats, name, 30, 18)
			require.NoError(t, seats.SetLimit(ctx, name, 18))
			b.requireLeft(t, seats, name, 18, 18)
			requireKind(t, seats.SetLimit(ctx, name, 17), trestle.ErrCondition, trestle.NotApplied)
			require.NoError(t, seats.SetLimit(ctx, name, 18))
			b.requireLeft(t, seats, name, 18, 18)
		}
	})
}

// Quota that is in pieces is taken together: from the pool and all shards.
func TestBounded_pieces(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		most := 99
		if e.Name == engines.DynamoDBLocal {
			most = testsize.Pick(20, 20, 99)
		}
		for _, shards := range []int{3, most} {
			name := fmt.Sprint(shards)
			seats := b.bounded(shard.BoundedConfig{Shards: shards, Grant: 2})
			require.NoError(t, seats.SetLimit(ctx, name, 1000))
			full := map[string]bool{}
			for i := 0; len(full) < shards; i++ { // leaves 1 in each shard
				require.NoError(t, seats.Take(ctx, name, 1, once(i)))
				mark := b.item(t, "$U#taken#votes#"+name+"#"+fmt.Sprint(i))
				if at := mark["shard"].(numeric).Value; full[at] {
					require.NoError(t, seats.Return(ctx, name, fmt.Sprint(i)))
				} else {
					full[at] = true
				}
			}
			left, err := seats.Left(ctx, name)
			require.NoError(t, err)
			require.NoError(t, seats.SetLimit(ctx, name, left.Taken+int64(shards)+3))
			want := int64(shards) + 3
			b.requireLeft(t, seats, name, left.Taken+want, left.Taken)
			requireKind(t, seats.Take(ctx, name, want+1, once("more")), trestle.ErrCondition, trestle.NotApplied)
			require.NoError(t, seats.Take(ctx, name, want, once("all")))
			b.requireLeft(t, seats, name, left.Taken+want, left.Taken+want)
		}
	})
}

// The quota of a shard whose lease has expired returns to the pool when it is needed. Until then,
// others take from the shard directly.
func TestBounded_lease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, db := t.Context(), ddbtest.Start(t)
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now})
		seats := b.bounded(shard.BoundedConfig{Shards: 2, Grant: 10, Lease: time.Minute})
		require.NoError(t, seats.SetLimit(ctx, "a", 10))
		require.NoError(t, seats.Take(ctx, "a", 1, once("k1")))
		own := numberOf(t, b.items(t)["$U#taken#votes#a#k1"]["shard"])
		shardOf := func(i int) string { return fmt.Sprintf("$U#limit#votes#a#%03d", i) }
		other := 2 // a key of the other shard
		require.NoError(t, seats.SetLimit(ctx, "b", 1000))
		for ; ; other++ {
			require.NoError(t, seats.Take(ctx, "b", 1, once("k", other)))
			if numberOf(t, b.items(t)[fmt.Sprint("$U#taken#votes#b#k", other)]["shard"]) != own {
				break
			}
		}
		require.NoError(t, seats.Take(ctx, "a", 1, once("k", other)))
		require.Equal(t, own, numberOf(t, b.items(t)[fmt.Sprint("$U#taken#votes#a#k", other)]["shard"]), "directly")
		require.Equal(t, 8, numberOf(t, b.items(t)[shardOf(own)]["free"]))

		require.NoError(t, seats.Return(ctx, "a", fmt.Sprint("k", other)))
		db.Advance(time.Minute + time.Second)
		require.NoError(t, seats.Take(ctx, "a", 1, once("x1")))
		b.requireLeft(t, seats, "a", 10, 2)
		pending := 0
		for i := range 50 { // a key of the other shard
			if err := seats.Take(ctx, "a", 1, once("y", i)); err != nil {
				break
			}
			pending++
			db.Advance(time.Minute + time.Second)
		}
		require.Equal(t, 8, pending)
		b.requireLeft(t, seats, "a", 10, 10)
		require.Zero(t, numberOf(t, b.items(t)[shardOf(own)]["free"]))
	})
}

// A take that fails in any way is repeated, and takes once.
func TestBounded_faults(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		seats := b.bounded(shard.BoundedConfig{Shards: 3})
		b.requireRepeats(t, func() error { return seats.SetLimit(ctx, "a", 100) })
		for i, f := range testfaults.All() {
			b.fail(f)
			b.requireRepeats(t, func() error { return seats.Take(ctx, "a", 2, once(i)) }, f.Name)
			b.fail(f)
			b.requireRepeats(t, func() error { return seats.Return(ctx, "a", fmt.Sprint(i)) }, f.Name)
			b.fail(f)
			b.requireRepeats(t, func() error { return seats.Take(ctx, "a", 1, once("x", i)) }, f.Name)
			b.fail(f)
			b.requireRepeats(t, func() error { return seats.SetLimit(ctx, "a", int64(100+i)) }, f.Name)
			b.requireLeft(t, seats, "a", int64(100+i), int64(i+1))
		}
	})
}

// requireRepeats requires that a call succeeds, or fails in a way that allows to repeat it.
func (b *box) requireRepeats(t testing.TB, f func() error, message ...any) {
	t.Helper()
	if err := f(); err != nil {
		require.NotEqual(t, trestle.Applied, trestle.OutcomeOf(err), message...)
		require.NotErrorIs(t, err, trestle.ErrCondition, message...)
		require.NoError(t, f(), message...)
	}
	b.faulty.Fault.Store(nil)
}
