package explore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// register is the sequential model of a number: the input is a number to write, or -1 to read.
var register = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		if n := input.(int); n >= 0 {
			return true, n
		}
		return output == state, state
	},
}

// linearizable is an invariant: the operations so far can be explained by the model.
func linearizable(h *explore.History) func(*ddbtest.DB) error {
	return func(*ddbtest.DB) error {
		var operations []porcupine.Operation
		for _, o := range h.Operations() {
			if o.Returned() || o.Input.(int) >= 0 { // a read without a result says nothing
				operations = append(operations, porcupine.Operation{
					ClientId: o.ClientID, Input: o.Input, Call: o.Call, Output: o.Output, Return: o.Return,
				})
			}
		}
		if !porcupine.CheckOperations(register, operations) {
			return errors.New("the history is not linearizable")
		}
		return nil
	}
}

// TestLinearizable checks that consistent reads beside writes are linearizable, and that eventually
// consistent ones are not.
func TestLinearizable(t *testing.T) {
	t.Parallel()
	search := func(consistent bool, faults explore.Faults) *explore.Report {
		return explore.Search(explore.Options{
			Setup: table(item{"id": str("a"), "n": num(0)}), Faults: faults,
		}, func(w *explore.World) {
			h := w.History()
			w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
				for n := range 2 {
					h.Call(ctx, n+1, func() any { return put(ctx, c, item{"id": str("a"), "n": num(n + 1)}) })
				}
			})
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				for range 2 {
					h.Call(ctx, -1, func() any {
						out, err := c.GetItem(ctx, &dynamodb.GetItemInput{
							TableName: aws.String("items"), Key: key("a"), ConsistentRead: &consistent,
						})
						require.NoError(w, err)
						return number(out.Item, "n")
					})
				}
			})
			w.Finally(linearizable(h))
		})
	}
	requireProof(t, search(true, explore.Faults{explore.LostReply: 1, explore.Crash: 1}))
	requireProof(t, search(false, noFaults))
	f := requireFailure(t, search(false, explore.Faults{explore.StaleRead: 1}))
	require.Equal(t, 1, f.Faults)
}

// TestHistoryNeedsClient checks that an operation outside of a client fails the run.
func TestHistoryNeedsClient(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		h := w.History()
		w.Client("client", func(_ context.Context, c *dynamodb.Client) {
			h.Call(context.Background(), 1, func() any { return nil })
		})
		w.Finally(holds)
	})
	requireFailure(t, r)
}
