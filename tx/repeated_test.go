package tx_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/tx"
)

// tokened are the ways to send an operation with a token of the caller.
var tokened = map[string]func(ctx context.Context, o entity.Operation, token string) error{
	"Once":      doAlone,
	"WriteOnce": func(ctx context.Context, o entity.Operation, token string) error { return tx.WriteOnce(ctx, token, o) },
}

// process returns the board of another process, whose requests pass through the wire. It makes one
// attempt of each request.
func (b *board) process(t testing.TB, w *testfaults.Wire) *board {
	t.Helper()
	other := openBoard(t, w.Client(b.client, 1))
	other.now = b.now
	return other
}

// losing returns a wire that loses the reply of the first transaction, or the transaction itself.
func losing(f testfaults.Fate) *testfaults.Wire {
	lost := false
	return &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
		if operation != "TransactWriteItems" || lost {
			return testfaults.Pass
		}
		lost = true
		return f
	}}
}

// A call with a token is repeated by another process, after the reply of the first one was lost. It
// never says that nothing was applied: it succeeds if its request is the same, and otherwise the
// outcome is unknown. If the first request was lost, the repetition is applied.
func TestRepeatedTokensNeverDenyWhatWasApplied(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		b := newBoard(t, e.Client(t))
		succeeded, unknown := 0, 0
		for _, v := range matrixVerbs() {
			for name, send := range tokened {
				for kind, operation := range map[string]func(*board) entity.Operation{
					"task": func(b *board) entity.Operation { o, _ := v.task(b); return o },
					"link": func(b *board) entity.Operation { o, _ := v.link(b); return o },
				} {
					path := kind + ": " + v.name + ", " + name
					token := name + kind + v.name
					b.restart(t, v.exists)
					err := send(t.Context(), operation(b.process(t, losing(testfaults.Lose))), token)
					require.ErrorIs(t, err, trestle.ErrUnknown, path)
					require.True(t, b.applied(t, v, kind), path)
					before := b.dump(t)
					if err := send(t.Context(), operation(b), token); err == nil {
						succeeded++
					} else {
						var mismatch *types.IdempotentParameterMismatchException
						require.ErrorAs(t, err, &mismatch, path)
						require.ErrorIs(t, err, trestle.ErrUnknown, path)
						require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err), path)
						unknown++
					}
					require.Equal(t, before, b.dump(t), "%s: applied once", path)

					b.restart(t, v.exists)
					token = "dropped " + name[:4] + kind + v.name
					err = send(t.Context(), operation(b.process(t, losing(testfaults.Drop))), token)
					require.ErrorIs(t, err, trestle.ErrUnknown, path)
					require.NoError(t, send(t.Context(), operation(b), token), path)
					require.True(t, b.applied(t, v, kind), path)
				}
			}
		}
		t.Logf("%d repetitions succeeded, %d are unknown", succeeded, unknown)
		require.Greater(t, succeeded, 10)
		require.Greater(t, unknown, 5)
	})
}

// What is not there for a call with a token is not there: DynamoDB has applied nothing with the
// token. The transaction that finds it out leaves the token free.
func TestTokensOfWritesThatCannotBePlanned(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		b := newBoard(t, e.Client(t))
		for name, send := range tokened {
			for _, v := range matrixVerbs() {
				if v.name != "delete, versioned" && v.name != "move" && v.name != "update, versioned" {
					continue
				}
				b.restart(t, false)
				o, _ := v.task(b)
				token := name + v.name
				requireOutcome(t, send(t.Context(), o, token), trestle.NotApplied, trestle.ErrNotFound)
				if name == "WriteOnce" {
					var canceled *tx.CanceledError
					require.ErrorAs(t, send(t.Context(), o, token), &canceled)
					require.Len(t, canceled.Failures, 1)
				}
				b.restart(t, true)
				require.NoError(t, send(t.Context(), o, token), "the token is free")
			}
		}
	})
}

// Only a canceled transaction tells that no call with the token was applied. A call that fails
// before DynamoDB has looked at the token tells nothing about an earlier one.
func TestTokensOfCallsThatNeverArrive(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		b := newBoard(t, e.Client(t))
		for name, send := range tokened {
			for _, v := range matrixVerbs() {
				if v.name != "delete, versioned" {
					continue
				}
				b.restart(t, true)
				token := name + v.name
				o, _ := v.task(b.process(t, losing(testfaults.Lose)))
				require.ErrorIs(t, send(t.Context(), o, token), trestle.ErrUnknown)
				for _, lost := range []string{"GetItem", "TransactWriteItems"} {
					w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
						if operation == lost {
							return testfaults.Drop
						}
						return testfaults.Pass
					}}
					o, _ = v.task(b.process(t, w))
					err := send(t.Context(), o, token)
					requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				o, _ = v.task(b)
				err := send(ended, o, token)
				requireOutcome(t, err, trestle.Unknown, trestle.ErrUnknown)
				require.ErrorIs(t, err, context.Canceled)
				require.NotErrorIs(t, errors.Join(send(t.Context(), o, "another "+name)), trestle.ErrUnknown)
			}
		}
	})
}
