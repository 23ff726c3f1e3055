package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// updaters declares clients that read, modify and write an item several times each, too many to run
// every order.
func updaters(update func(string) client) func(*explore.World) {
	return func(w *explore.World) {
		const clients, times = 5, 4
		for i := range clients {
			w.Client(fmt.Sprint("client", i), func(ctx context.Context, c *dynamodb.Client) {
				for range times {
					update("a")(ctx, c)
				}
			})
		}
		w.Finally(numberIs("a", clients*times))
	}
}

// TestSample checks that random runs find a lost update, shorten it, and find nothing in clients
// that add in one request.
func TestSample(t *testing.T) {
	t.Parallel()
	o := explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults, MaxRuns: 50, Seed: 1, MaxShorten: 500}
	test := &recorder{TB: t}
	r := explore.Sample(test, o, updaters(readModifyWrite))
	require.NotNil(t, r.Failure)
	require.Equal(t, 1, test.errors)
	require.NotContains(t, test.text, "Seed") // it is the default

	r = explore.Sample(t, o, updaters(func(id string) client {
		return func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, id, 1) }
	}))
	require.Nil(t, r.Failure)
	require.Equal(t, 50, r.Runs)
	require.NotEmpty(t, r.CutOff)
}

// TestSampleBackoff checks that random runs in which time passes come to their end.
func TestSampleBackoff(t *testing.T) {
	t.Parallel()
	ended := 0
	r := explore.Sample(&recorder{TB: t}, explore.Options{
		Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.Pause: 1}, Backoff: time.Second, MaxRuns: 50, Seed: 1,
	}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob"} {
			w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
				require.NoError(w, add(ctx, c, "a", 1))
				<-time.After(time.Second)
				require.NoError(w, add(ctx, c, "a", 1))
			})
		}
		w.Finally(func(db *ddbtest.DB) error {
			ended++
			return numberIs("a", 4)(db)
		})
	})
	require.Nil(t, r.Failure)
	require.Equal(t, 50, ended)
	require.Positive(t, r.Faults[explore.Pause])
}

// TestSampleFaults checks that faults act in random runs, and that a seed repeats them.
func TestSampleFaults(t *testing.T) {
	t.Parallel()
	sample := func(seed uint64) *explore.Failure {
		r := explore.Sample(&recorder{TB: t}, explore.Options{
			Setup: table(item{"id": str("a"), "n": num(0)}), MaxRuns: 200, Seed: seed, MaxShorten: 1,
		}, updaters(func(id string) client {
			return func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, id, 1) }
		}))
		require.NotNil(t, r.Failure)
		require.Equal(t, 1, r.Failure.Faults)
		require.Equal(t, seed != 1, strings.Contains(r.Failure.String(), fmt.Sprint("Seed: ", seed)))
		return r.Failure
	}
	first, again := sample(1), sample(1)
	require.Equal(t, first, again)
	require.NotEqual(t, first.Schedule, sample(2).Schedule)
}

// TestSampleOfSharedMemory checks that a Sample ends whose clients wait for each other.
func TestSampleOfSharedMemory(t *testing.T) {
	t.Parallel()
	test := &recorder{TB: t}
	r := explore.Sample(test, explore.Options{Setup: table(), Faults: noFaults, MaxRuns: 50, Seed: 1}, func(w *explore.World) {
		done := make(chan struct{})
		w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
			_ = add(ctx, c, "a", 1)
			close(done)
		})
		w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
			select {
			case <-done:
				_ = add(ctx, c, "b", 1)
			case <-ctx.Done():
			}
		})
		w.Finally(holds)
	})
	require.Equal(t, 50, r.Runs)
	require.Zero(t, test.errors, test.text)
}
