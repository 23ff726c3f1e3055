package shard_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// A booking is canceled together with its seats: both, or neither.
func TestBounded_returnOp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b, ballots := newElection(t, e)
		seats := b.bounded(shard.BoundedConfig{Shards: 4, Grant: 2})
		require.NoError(t, seats.SetLimit(ctx, "a", 20))
		for i := range 6 {
			require.NoError(t, tx.Write(ctx, ballots.Op().Create(&ballot{Voter: fmt.Sprint(i)}), seats.Op("a", 2, once(i))))
		}
		cancel := func(voter string) error {
			return tx.Write(ctx, ballots.Op().Delete(ballot{Voter: voter}), seats.ReturnOp("a", voter))
		}
		requireTaken(t, seats, "3", 2)
		require.NoError(t, cancel("3"))
		requireTaken(t, seats, "3", 0)
		b.requireLeft(t, seats, "a", 20, 10)
		require.ErrorIs(t, cancel("3"), trestle.ErrExists, "it was returned")
		require.NoError(t, seats.Return(ctx, "a", "3"))
		require.ErrorIs(t, cancel("nobody"), trestle.ErrNotFound)
		requireTaken(t, seats, "nobody", 0)

		err := tx.Write(ctx, ballots.Op().Create(&ballot{Voter: "4"}), seats.ReturnOp("a", "4"))
		require.ErrorIs(t, err, trestle.ErrExists, "the ballot exists")
		b.requireLeft(t, seats, "a", 20, 10)
		require.NoError(t, seats.Return(ctx, "a", "4"))
		b.requireLeft(t, seats, "a", 20, 8)
		requireKind(t, seats.Take(ctx, "a", 2, once(4)), trestle.ErrExists, trestle.NotApplied)

		sent := b.faulty.All.Load()
		x, err := tx.NewWrite(seats.ReturnOp("a", "5")).Explain()
		require.NoError(t, err)
		require.Equal(t, 2, x.Actions)
		for _, bad := range []string{"", "\xff"} {
			require.ErrorIs(t, tx.Write(ctx, seats.ReturnOp("a", bad)), trestle.ErrInvalid)
			require.ErrorIs(t, tx.Write(ctx, seats.ReturnOp(bad, "k")), trestle.ErrInvalid)
			_, err := seats.Taken(ctx, "a", bad)
			requireKind(t, err, trestle.ErrInvalid, trestle.NoWrite)
		}
		require.Equal(t, sent, b.faulty.All.Load(), "nothing is sent")
	})
}

func requireTaken(t testing.TB, seats *shard.Bounded, key string, want int64) {
	t.Helper()
	n, err := seats.Taken(t.Context(), "a", key)
	require.NoError(t, err)
	require.Equal(t, want, n)
}

// A return in a transaction, and the question what a key took, cost what their documentation says.
func TestBounded_returnOpCost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b, _ := newElection(t, engines.Engine{Name: engines.InProcess})
	seats := b.bounded(shard.BoundedConfig{})
	require.NoError(t, seats.SetLimit(ctx, "a", 20))
	require.NoError(t, seats.Take(ctx, "a", 1, once("k")))
	b.requireCost(t, 1, 0, func() error { _, err := seats.Taken(ctx, "a", "k"); return err })
	b.requireCost(t, 1, 4, func() error { return tx.Write(ctx, seats.ReturnOp("a", "k")) })
}
