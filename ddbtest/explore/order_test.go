package explore_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestLostUpdate checks that the order of requests that loses an update is found, and is the
// shortest one: without a fault, and with two switches.
func TestLostUpdate(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)})}, func(w *explore.World) {
		w.Client("alice", readModifyWrite("a"))
		w.Client("bob", readModifyWrite("a"))
		w.Finally(numberIs("a", 2))
	})
	f := requireFailure(t, r)
	t.Log(f)
	require.Zero(t, f.Faults)
	require.Equal(t, 2, f.Switches)
	require.True(t, f.Shortest)
}

// TestNumberOfOrders checks that without reduction every order of two clients with three requests
// each is run once: 6!/(3!3!) = 20. In 12 of them an update of both clients is lost.
func TestNumberOfOrders(t *testing.T) {
	t.Parallel()
	runs, lost := 0, 0
	three := func(ctx context.Context, c *dynamodb.Client) {
		if i, err := get(ctx, c, "a"); err == nil {
			i["n"] = num(number(i, "n") + 1)
			_ = put(ctx, c, i)
		}
		_, _ = get(ctx, c, "a")
	}
	r := explore.Search(explore.Options{
		Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults, NoReduction: true,
	}, func(w *explore.World) {
		w.Client("alice", three)
		w.Client("bob", three)
		w.Finally(func(db *ddbtest.DB) error {
			runs++
			if numberIs("a", 2)(db) != nil {
				lost++
			}
			return nil
		})
	})
	requireProof(t, r)
	require.Equal(t, 20, runs)
	require.Equal(t, 20, r.Runs)
	t.Log(lost)
}

// TestIndependentClients checks that clients of different items need one run.
func TestIndependentClients(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		for _, name := range []string{"a", "b", "c"} {
			w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
				_ = add(ctx, c, name, 1)
				_ = add(ctx, c, name, 1)
			})
		}
		w.Finally(func(db *ddbtest.DB) error {
			require.Len(w, db.Dump("items"), 3)
			return nil
		})
	})
	requireProof(t, r)
	t.Log(r)
}
