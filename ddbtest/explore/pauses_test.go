package explore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// writeBoth writes a and b: in two requests, or mended in a transaction.
func writeBoth(mended bool) client {
	return func(ctx context.Context, c *dynamodb.Client) {
		if !mended {
			_ = add(ctx, c, "a", 1)
			_ = add(ctx, c, "b", 1)
			return
		}
		_, _ = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Update: addition("a")}, {Update: addition("b")},
		}})
	}
}

func addition(id string) *types.Update {
	return &types.Update{
		TableName: aws.String("items"), Key: key(id), UpdateExpression: aws.String("ADD n :n"),
		ExpressionAttributeValues: item{":n": num(1)},
	}
}

// readBoth reads a and b in a transaction. They must be equal.
func readBoth(ctx context.Context, w *explore.World, c *dynamodb.Client) {
	out, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String("items"), Key: key("a")}},
		{Get: &types.Get{TableName: aws.String("items"), Key: key("b")}},
	}})
	if err == nil && number(out.Responses[0].Item, "n") != number(out.Responses[1].Item, "n") {
		w.Errorf("a and b differ")
	}
}

// slowly is an option of a client: it pauses between its attempts.
func slowly(o *dynamodb.Options) {
	o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 50 * time.Millisecond, nil })
	})
}

// TestPausesInEveryOrder checks that a client that pauses wakes at every step of the others, in
// whatever way it waits. The bug of each service shows only if it wakes between two requests of
// another client. The mended twin writes in one request.
func TestPausesInEveryOrder(t *testing.T) {
	t.Parallel()
	after := func(pause func(ctx context.Context)) func(*explore.World) client {
		return func(w *explore.World) client {
			return func(ctx context.Context, c *dynamodb.Client) {
				pause(ctx)
				readBoth(ctx, w, c)
			}
		}
	}
	for name, c := range map[string]struct {
		faults explore.Faults
		reader func(*explore.World) client
	}{
		"a sleep":      {noFaults, after(func(context.Context) { <-time.After(time.Millisecond) })},
		"a long sleep": {noFaults, after(func(context.Context) { <-time.After(2 * time.Hour) })},
		"a timeout": {noFaults, after(func(ctx context.Context) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			<-ctx.Done()
		})},
		"a ticker": {noFaults, after(func(context.Context) {
			ticker := time.NewTicker(time.Second)
			defer ticker.Stop()
			<-ticker.C
			<-ticker.C
		})},
		"a timer's function": {noFaults, after(func(context.Context) {
			done := make(chan struct{})
			time.AfterFunc(time.Second, func() { close(done) })
			<-done
		})},
		"a back-off of the SDK": {explore.Faults{explore.ServerError: 1}, func(w *explore.World) client {
			return func(ctx context.Context, c *dynamodb.Client) {
				began := time.Now()
				if _, _ = get(ctx, c, "other"); time.Since(began) > time.Millisecond {
					readBoth(ctx, w, c)
				}
			}
		}},
		"a goroutine beside a request": {noFaults, func(w *explore.World) client {
			return func(ctx context.Context, c *dynamodb.Client) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					<-time.After(time.Second)
					readBoth(ctx, w, c)
				}()
				_, _ = get(ctx, c, "other")
				<-done
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			search := func(mended bool) *explore.Report {
				return explore.Search(explore.Options{Setup: table(), Faults: c.faults}, func(w *explore.World) {
					w.Client("reader", c.reader(w), slowly)
					w.Client("writer", writeBoth(mended))
					w.Finally(holds)
				})
			}
			requireFailure(t, search(false))
			requireProof(t, search(true))
		})
	}
}

// TestLengthOfPauses checks the schedule of a failure with a pause, and that a pause that is longer
// than Options.Backoff is no proof.
func TestLengthOfPauses(t *testing.T) {
	t.Parallel()
	search := func(o explore.Options, pause time.Duration, mended bool) *explore.Report {
		o.Setup = table()
		return explore.Search(o, func(w *explore.World) {
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(pause)
				readBoth(ctx, w, c)
			})
			w.Client("writer", writeBoth(mended))
			w.Finally(holds)
		})
	}
	o := explore.Options{Faults: noFaults}
	f := requireFailure(t, search(o, time.Millisecond, false))
	require.Equal(t, "writer elapse reader", f.Schedule)
	o.Replay = f.Schedule
	require.NotNil(t, search(o, time.Millisecond, false).Failure)
	requireProof(t, search(explore.Options{Faults: noFaults}, time.Millisecond, true))

	require.Len(t, search(explore.Options{Faults: noFaults, Backoff: time.Second}, time.Minute, true).Lacks, 1)
	require.Empty(t, search(explore.Options{Faults: explore.Faults{explore.Pause: 0}, Backoff: time.Second}, time.Minute, true).Lacks)
	require.Nil(t, search(explore.Options{Faults: explore.Faults{explore.Pause: 0}, Backoff: time.Second}, time.Minute, false).Failure)
	require.NotNil(t, search(explore.Options{Faults: noFaults, Backoff: time.Minute}, time.Minute, false).Failure)
}

// TestSamplePauses checks that random runs let a client that pauses wake between two requests.
func TestSamplePauses(t *testing.T) {
	t.Parallel()
	r := explore.Sample(&recorder{TB: t}, explore.Options{Setup: table(), Faults: noFaults, MaxRuns: 100, Seed: 1}, func(w *explore.World) {
		w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
			<-time.After(time.Minute)
			readBoth(ctx, w, c)
		})
		w.Client("writer", writeBoth(false))
		w.Finally(holds)
	})
	require.NotNil(t, r.Failure)
}

// TestPauseBeyondDeadlines checks that a client wakes beside the second of two requests although it
// pauses for longer than the deadline of each: both take their time. No deadline passes.
func TestPauseBeyondDeadlines(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Pause: 0}}, func(w *explore.World) {
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(8 * time.Second)
				readBoth(ctx, w, c)
			})
			w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
				inTime := func(f client) {
					ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
					defer cancel()
					f(ctx, c)
					require.NoError(w, ctx.Err())
				}
				if mended {
					inTime(writeBoth(true))
					return
				}
				inTime(func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, "a", 1) })
				inTime(func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, "b", 1) })
			})
			w.Finally(holds)
		})
	}
	requireFailure(t, search(false))
	requireProof(t, search(true))
}

// TestPollers checks that a search is cut off if a client pauses more often than it wakes by
// default, and that the number can be named.
func TestPollers(t *testing.T) {
	t.Parallel()
	search := func(wakes int) (r *explore.Report, most int) {
		r = explore.Search(explore.Options{Setup: table(), Faults: noFaults, Wakes: wakes}, func(w *explore.World) {
			reads := 0
			w.Client("poller", func(ctx context.Context, c *dynamodb.Client) {
				for ; ; reads++ {
					if i, err := get(ctx, c, "a"); err != nil || i != nil {
						return
					}
					<-time.After(time.Second)
				}
			})
			w.Client("writer", addOne)
			w.Finally(func(*ddbtest.DB) error {
				most = max(most, reads)
				return nil
			})
		})
		require.Nil(t, r.Failure)
		require.Empty(t, r.Lacks)
		return r, most
	}
	byDefault, most := search(0)
	require.NotEmpty(t, byDefault.CutOff)
	require.Equal(t, 5, most, "the last one is after the write")
	named, most := search(7)
	requireProof(t, named)
	require.Equal(t, 8, most)
}

// TestDeadlines checks a service that takes a write for failed whose deadline has passed. Without
// Pause, the search says that the deadline never passed.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	search := func(faults explore.Faults, mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: faults}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				short, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				set := func(ctx context.Context) error {
					if mended {
						return put(ctx, c, item{"id": str("a"), "n": num(1)})
					}
					return add(ctx, c, "a", 1)
				}
				if errors.Is(set(short), context.DeadlineExceeded) {
					require.NoError(w, set(ctx))
				}
			})
			w.Finally(numberIs("a", 1))
		})
	}
	r := search(noFaults, false)
	require.Nil(t, r.Failure)
	require.Len(t, r.Lacks, 1)
	require.Empty(t, search(explore.Faults{explore.Pause: 0}, false).Lacks)
	requireFailure(t, search(explore.Faults{explore.Pause: 1}, false))
	requireProof(t, search(explore.Faults{explore.Pause: 1}, true))
}

// attempt calls f with the context of an attempt of Trestle, which has a deadline.
func attempt(ctx context.Context, f func(ctx context.Context)) {
	call := context.WithValue(ctx, callKey, ctx) //nolint:revive,staticcheck // the key is a string
	short, cancel := context.WithTimeout(call, 5*time.Second)
	defer cancel()
	f(short)
}

// callKey is that of the contexts of Trestle.
const callKey = "trestle: the context of the call"

// TestPausesOutOfReach checks that a search is no proof if a client pauses beyond more deadlines
// than the search lets pass one after the other, unless Pause is named. The deadlines may be those
// of attempts, which are repeated.
func TestPausesOutOfReach(t *testing.T) {
	t.Parallel()
	search := func(o explore.Options, pauses ...time.Duration) *explore.Report {
		o.Setup = table()
		if o.Faults == nil {
			o.Faults = noFaults
		}
		return explore.Search(o, func(w *explore.World) {
			for i, pause := range pauses {
				w.Client(fmt.Sprint("reader", i), func(ctx context.Context, c *dynamodb.Client) {
					<-time.After(pause)
					readBoth(ctx, w, c)
				})
			}
			w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
				for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
					attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, id, 1) })
				}
			})
			w.Finally(holds)
		})
	}
	requireFailure(t, search(explore.Options{}, 8*time.Second))
	require.Len(t, search(explore.Options{}, time.Minute).Lacks, 1)
	require.Len(t, search(explore.Options{Wakes: 1}, 8*time.Second).Lacks, 1)
	requireFailure(t, search(explore.Options{Wakes: 2}, 8*time.Second))
	requireProof(t, search(explore.Options{Faults: explore.Faults{explore.Pause: 0}}, time.Minute))
}

// TestPausesOfOthers checks that a search is cut off if the pauses of other clients leave too few
// times to pass until a client wakes beyond a deadline.
func TestPausesOfOthers(t *testing.T) {
	t.Parallel()
	search := func(wakes int) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Pause: 0}, Wakes: wakes}, func(w *explore.World) {
			for i := range 3 {
				w.Client(fmt.Sprint("other", i), func(ctx context.Context, c *dynamodb.Client) {
					<-time.After(time.Duration(i+1) * time.Second)
					_, _ = get(ctx, c, "x")
				})
			}
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(8 * time.Second)
				readBoth(ctx, w, c)
			})
			w.Client("writer", func(ctx context.Context, c *dynamodb.Client) {
				for _, id := range []string{"a", "b"} {
					attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, id, 1) })
				}
			})
			w.Finally(holds)
		})
	}
	r := search(0)
	require.Nil(t, r.Failure)
	require.Empty(t, r.Lacks)
	require.NotEmpty(t, r.CutOff)
	requireFailure(t, search(8))
}

// TestContextsThatTimersEnd checks that a request is given up whose context a timer of the client
// ends, also if the client does nothing else then.
func TestContextsThatTimersEnd(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				short, cancel := context.WithCancel(ctx)
				defer cancel()
				timer := time.AfterFunc(time.Second, cancel)
				done := make(chan error, 1)
				go func() { done <- add(short, c, "a", 1) }()
				_, _ = get(ctx, c, "b")
				timer.Stop()
				if err := <-done; err != nil && !mended {
					w.Errorf("the request was given up")
				}
			})
			w.Finally(holds)
		})
	}
	requireFailure(t, search(false))
	requireProof(t, search(true))
}

// TestContextsThatTimersEndLate checks that a request is given up whose context a timer ends after
// the deadline of another request, long before the client does anything else.
func TestContextsThatTimersEndLate(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Pause: 0}}, func(w *explore.World) {
			ended := false
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				short, cancel := context.WithCancel(ctx)
				defer cancel()
				time.AfterFunc(8*time.Second, cancel)
				if err := add(short, c, "a", 1); err != nil {
					beside := !ended
					<-time.After(time.Hour)
					_ = add(ctx, c, "a", 1)
					if beside && !mended {
						w.Errorf("the request was given up beside the other client")
					}
				}
			})
			w.Client("other", func(ctx context.Context, c *dynamodb.Client) {
				for _, id := range []string{"b", "c"} {
					attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, id, 1) })
				}
				ended = true
			})
			w.Finally(holds)
		})
	}
	requireFailure(t, search(false))
	requireProof(t, search(true))
}

// TestDeadlinesOfEachClient checks that the deadlines of a client are a lack although another
// client gives up.
func TestDeadlinesOfEachClient(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
			short, cancel := context.WithCancel(ctx)
			defer cancel()
			time.AfterFunc(time.Second, cancel)
			_, _ = get(short, c, "b")
		})
		w.Client("b", func(ctx context.Context, c *dynamodb.Client) {
			short, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_ = add(short, c, "a", 1)
		})
		w.Finally(holds)
	})
	require.Nil(t, r.Failure)
	require.Len(t, r.Lacks, 1)
}

// TestLateAfterAPause checks that a late request may be applied after a pause of its client, if it
// is not longer than an hour.
func TestLateAfterAPause(t *testing.T) {
	t.Parallel()
	search := func(pause time.Duration) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.LateRequest: 1}}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				_ = put(ctx, c, item{"id": str("a"), "n": num(1)})
				<-time.After(pause)
				_ = put(ctx, c, item{"id": str("a"), "n": num(2)})
			}, once)
			w.Finally(numberIs("a", 2))
		})
	}
	requireFailure(t, search(time.Hour))
	requireProof(t, search(time.Hour+time.Second))
}

// TestPausesBesidePollers checks that a pause beyond Options.Backoff is a lack although another
// client wakes meanwhile.
func TestPausesBesidePollers(t *testing.T) {
	t.Parallel()
	search := func(pause time.Duration) *explore.Report {
		return explore.Search(explore.Options{Setup: table(item{"id": str("lock")}), Faults: noFaults, Backoff: time.Second}, func(w *explore.World) {
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				if i, err := get(ctx, c, "lock"); err == nil && i != nil {
					<-time.After(pause)
				}
			})
			w.Client("holder", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("items"), Key: key("lock")})
				for range 4 {
					<-time.After(time.Second)
					_ = add(ctx, c, "a", 1)
				}
			})
			w.Finally(holds)
		})
	}
	require.Empty(t, search(time.Second).Lacks)
	require.Len(t, search(3*time.Second).Lacks, 1)
}

// TestPauseBesideACrash checks that the deadline of a request that a crashed client has not sent
// does not end the time that passes.
func TestPauseBesideACrash(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Crash: 1, explore.Pause: 0}}, func(w *explore.World) {
			w.Client("first", func(ctx context.Context, c *dynamodb.Client) {
				short, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				_ = add(short, c, "c", 1)
			})
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(2 * time.Second)
				if i, err := get(ctx, c, "c"); err == nil && i == nil { // only after a crash
					readBoth(ctx, w, c)
				}
			})
			w.Client("writer", writeBoth(mended))
			w.Finally(holds)
		})
	}
	requireFailure(t, search(false))
	requireProof(t, search(true))
}
