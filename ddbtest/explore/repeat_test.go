package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestRepetition checks that clients that do not repeat themselves are found, and that World.Rand
// and the time of the bubble are the cures.
func TestRepetition(t *testing.T) {
	t.Parallel()
	var count atomic.Int64
	for name, c := range map[string]struct {
		value   func(w *explore.World) func() int
		repeats bool
	}{
		"random numbers":  {func(*explore.World) func() int { return rand.Int }, false},
		"a counter":       {func(*explore.World) func() int { return func() int { return int(count.Add(1)) } }, false},
		"numbers of Rand": {func(w *explore.World) func() int { return w.Rand().Int }, true},
		"the time":        {func(*explore.World) func() int { return func() int { return int(time.Now().UnixMilli()) } }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := explore.Search(explore.Options{Setup: table()}, func(w *explore.World) {
				for _, name := range []string{"alice", "bob"} {
					value := c.value(w)
					w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
						_ = put(ctx, c, item{"id": str("a"), "n": num(value())})
					})
				}
				w.Finally(holds)
			})
			if c.repeats {
				requireProof(t, r)
			} else {
				require.False(t, requireFailure(t, r).Shortest)
			}
		})
	}
}

// TestMissingRequest checks that a request that is sent in some runs only is found.
func TestMissingRequest(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		runs := 0
		r := explore.Search(explore.Options{Setup: table(), Faults: noFaults, NoReduction: true}, func(w *explore.World) {
			runs++
			sends := runs%2 == 1 == first
			for _, name := range []string{"alice", "bob"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
					_ = add(ctx, c, "a", 1)
					if sends {
						_ = add(ctx, c, "a", 1)
					}
				})
			}
			w.Finally(holds)
		})
		requireFailure(t, r)
	}
}

// TestOtherClients checks that other clients than in the first run are found.
func TestOtherClients(t *testing.T) {
	t.Parallel()
	runs := 0
	r := explore.Search(explore.Options{Setup: table()}, func(w *explore.World) {
		runs++
		w.Client(fmt.Sprint("client", runs), addOne)
		w.Finally(holds)
	})
	require.False(t, requireFailure(t, r).Shortest)
}

// TestGoroutinesOfClient checks that the requests that a client sends at the same time are in the
// same order in every run.
func TestGoroutinesOfClient(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table()}, func(w *explore.World) {
		w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
			done := make(chan struct{})
			for _, id := range []string{"a", "b", "c"} {
				go func() {
					_ = add(ctx, c, id, 1)
					done <- struct{}{}
				}()
			}
			for range 3 {
				<-done
			}
		})
		w.Client("bob", addOne)
		w.Finally(holds)
	})
	requireProof(t, r)
}
