package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// requireOperation requires that one operation of a transaction has failed.
func requireOperation(t *testing.T, err error, operation int) {
	t.Helper()
	var canceled *tx.CanceledError
	require.ErrorAs(t, err, &canceled)
	require.Len(t, canceled.Failures, 1)
	require.Equal(t, operation, canceled.Failures[0].Operation)
}

// A take in a transaction that fails before the transaction is sent is the failure of its
// operation. ErrSoldOut tells it from a condition of the caller.
func TestBounded_failedOperation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b, _ := newElection(t, e)
		seats, votes := b.bounded(shard.BoundedConfig{}), b.counters(shard.Config{})
		require.NoError(t, seats.SetLimit(ctx, "a", 2))
		for _, c := range []struct {
			take entity.Operation
			want error
		}{
			{seats.Op("a", 3, once("k")), shard.ErrSoldOut},
			{seats.Op("a", 3, once("k")), trestle.ErrCondition},
			{seats.Op("none", 1, once("k")), trestle.ErrNotFound},
		} {
			err := tx.Write(ctx, votes.Op("v", 1, shard.Once("v")), c.take)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
			requireOperation(t, err, 1)
		}
		require.ErrorIs(t, seats.Take(ctx, "a", 3, once("k")), shard.ErrSoldOut)
		requireTotal(t, votes, "v", 0)
	})
}
