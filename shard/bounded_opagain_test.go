package shard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// Another program changes the counter between the transaction that moves quota to the shard and the
// one that takes it. If quota is left, it is moved again; otherwise the first try was the last.
func TestBounded_opAgain(t *testing.T) {
	t.Parallel()
	config := shard.BoundedConfig{Grant: 1}
	for name, c := range map[string]struct {
		other func(t *testing.T, seats *shard.Bounded)
		want  error // nil: it is sold
		taken int64
		sent  int // transactions: moves of quota, and takes
	}{
		"another take": {func(t *testing.T, seats *shard.Bounded) {
			t.Helper()
			require.NoError(t, seats.Take(t.Context(), "a", 1, once("other")))
		}, nil, 2, 4},
		"all are taken": {func(t *testing.T, seats *shard.Bounded) {
			t.Helper()
			require.NoError(t, seats.Take(t.Context(), "a", 3, once("other")))
		}, trestle.ErrCondition, 3, 2},
		"the same key": {func(t *testing.T, seats *shard.Bounded) {
			t.Helper()
			require.NoError(t, seats.Take(t.Context(), "a", 1, once("k")))
		}, trestle.ErrExists, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b, _ := newElection(t, e)
				seats := b.bounded(config)
				require.NoError(t, seats.SetLimit(t.Context(), "a", 3))
				sent := 0
				w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
					if operation == "TransactWriteItems" {
						if sent++; sent == 2 {
							c.other(t, seats)
						}
					}
					return testfaults.Pass
				}}
				err := tx.Write(t.Context(), b.process(t, w).bounded(config).Op("a", 1, once("k")))
				require.ErrorIs(t, err, c.want)
				if c.want != nil {
					requireOperation(t, err, 0)
				}
				require.Equal(t, c.sent, sent)
				b.requireLeft(t, seats, "a", 3, c.taken)
			})
		})
	}
}
