package explore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestRequestsAfterTheEnd checks that a request is served that a client has sent before it
// returned: a service that does not wait for its write, and its mended twin.
func TestRequestsAfterTheEnd(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					_ = add(ctx, c, "a", 1)
				}()
				if mended {
					<-done
				}
				_, _ = get(ctx, c, "a")
			})
			w.Client("other", func(ctx context.Context, c *dynamodb.Client) {
				if i, err := get(ctx, c, "a"); err == nil {
					_ = put(ctx, c, item{"id": str("b"), "n": i["n"]})
				}
			})
			w.Finally(numberIs("a", 1))
		})
	}
	requireProof(t, search(false)) // the write is never lost
	requireProof(t, search(true))
	late := explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: noFaults}, func(w *explore.World) {
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) { go func() { _ = add(ctx, c, "a", 1) }() })
		w.Finally(numberIs("a", 0))
	})
	requireFailure(t, late)
}

// TestCrashAfterTheLastRequest checks a job that is started again although it has done its work: it
// crashed before it could say so.
func TestCrashAfterTheLastRequest(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		job := func(ctx context.Context, c *dynamodb.Client) {
			if mended {
				_ = put(ctx, c, item{"id": str("a"), "n": num(1)})
				return
			}
			_ = add(ctx, c, "a", 1)
		}
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Crash: 1}}, func(w *explore.World) {
			w.Client("job", job)
			w.Restart("job", job)
			w.Finally(numberIs("a", 1))
		})
	}
	f := requireFailure(t, search(false))
	require.Equal(t, "job job!Crash job-again", f.Schedule)
	requireProof(t, search(true))
}

// TestSharedMemory checks that clients that share memory are searched in every order: the state of
// a search has only the replies that each client got.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	for name, declare := range map[string]func(w *explore.World, mended bool){
		// Bob gets the name of the client that has read first.
		"a channel": func(w *explore.World, mended bool) {
			readers := make(chan int, 2)
			for i, name := range []string{"alice", "carol"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
					_, _ = get(ctx, c, name)
					readers <- i
				})
			}
			w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
				select {
				case i := <-readers:
					if mended {
						i = 0
					}
					require.NoError(w, add(ctx, c, "a", 2+i))
				case <-ctx.Done():
				}
			})
			w.Finally(numberIs("a", 2))
		},
		// Bob reads what alice has put into a cache. The replies to his requests do not show it.
		"a cache": func(w *explore.World, mended bool) {
			cached := 0
			w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = get(ctx, c, "x")
				cached = 1
				_, _ = get(ctx, c, "y")
				cached = 0
				_ = put(ctx, c, key("z"))
			})
			w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = get(ctx, c, "v")
				n := cached
				_, _ = get(ctx, c, "w")
				if mended {
					n = 0
				}
				require.NoError(w, add(ctx, c, "a", n+2))
			})
			w.Finally(numberIs("a", 2))
		},
		// Bob gets, after a pause, the name of the client that has read last.
		"a cache and a timer": func(w *explore.World, mended bool) {
			readers := []int{0}
			for i, name := range []string{"alice", "carol"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
					_, _ = get(ctx, c, name)
					readers = append(readers, i+1)
				})
			}
			w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(time.Second)
				last := readers[len(readers)-1]
				if len(readers) == 3 && last == 1 && !mended {
					w.Errorf("alice was last")
				}
				require.NoError(w, add(ctx, c, "b", last))
			})
			w.Finally(holds)
		},
		// Alice decides how long bob pauses. She reads what dave writes.
		"a pause": func(w *explore.World, mended bool) {
			pauses := make(chan time.Duration, 1)
			w.Client("carol", func(ctx context.Context, c *dynamodb.Client) {
				if mended {
					attempt(ctx, func(ctx context.Context) { writeBoth(true)(ctx, c) })
					return
				}
				attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, "a", 1) })
				attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, "b", 1) })
			})
			w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
				pause := time.Hour
				if x, err := get(ctx, c, "x"); err == nil && x != nil {
					pause = time.Second
				}
				pauses <- pause
			})
			w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
				select {
				case pause := <-pauses:
					<-time.After(pause)
					readBoth(ctx, w, c)
				case <-ctx.Done():
				}
			})
			if !mended { // otherwise the search is long
				w.Client("dave", func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, "x", 1) })
			}
			w.Finally(holds)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := explore.Options{Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.Pause: 0}, MaxShorten: 50}
			search := func(mended bool) *explore.Report {
				return explore.Search(o, func(w *explore.World) { declare(w, mended) })
			}
			f := requireFailure(t, search(false))
			requireProof(t, search(true))
			o.Replay = f.Schedule
			require.NotNil(t, search(false).Failure, "the schedule repeats it")
		})
	}
}

// TestSharedMemoryAfterAFault checks that clients share memory of which one lets another one go on
// after a pause. The search has learned before that the other one has no timer.
func TestSharedMemoryAfterAFault(t *testing.T) {
	t.Parallel()
	requireFailure(t, explore.Search(explore.Options{
		Setup: table(), Faults: explore.Faults{explore.LostReply: 1, explore.Pause: 0}, MaxShorten: 1,
	}, func(w *explore.World) {
		done, failed := make(chan struct{}), false
		w.Client("carol", func(ctx context.Context, c *dynamodb.Client) {
			attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, "a", 1) })
			attempt(ctx, func(ctx context.Context) { _ = add(ctx, c, "b", 1) })
		})
		w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
			_, err := get(ctx, c, "x")
			failed = err != nil
			close(done)
			_, _ = get(ctx, c, "y")
		}, once)
		w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
			select {
			case <-done:
			case <-ctx.Done():
				return
			}
			<-time.After(time.Second)
			a, _ := get(ctx, c, "a")
			b, _ := get(ctx, c, "b")
			if failed && a != nil && b == nil {
				w.Errorf("a and b differ")
			}
		})
		w.Finally(holds)
	}))
}

// TestRandomNumbersOfFewRuns checks that a client that draws random numbers is found, although the
// search has one run.
func TestRandomNumbersOfFewRuns(t *testing.T) {
	t.Parallel()
	search := func(draw func(w *explore.World) int) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				require.NoError(w, put(ctx, c, key(fmt.Sprint(draw(w)))))
			})
			w.Finally(holds)
		})
	}
	require.False(t, requireFailure(t, search(func(*explore.World) int { return rand.IntN(1e9) })).Shortest)
	requireProof(t, search(func(w *explore.World) int { return w.Rand().IntN(1e9) }))

	// A client that does something else only now and then.
	runs := 0
	require.False(t, requireFailure(t, search(func(*explore.World) int {
		runs++
		return runs / 6
	})).Shortest)

	// A client that sends fewer requests in some runs.
	runs = 0
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		runs++
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			require.NoError(w, add(ctx, c, "a", 1))
			if runs == 1 {
				require.NoError(w, add(ctx, c, "a", 1))
			}
		})
		w.Finally(holds)
	})
	requireFailure(t, r)
}

// TestConflictOfEachItem checks a service that looks for a conflict in the first reason of a
// canceled transaction only.
func TestConflictOfEachItem(t *testing.T) {
	t.Parallel()
	search := func(mended bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Conflict: 1}}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				for range 2 {
					_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
						{Update: addition("a")}, {Update: addition("b")},
					}})
					var canceled *types.TransactionCanceledException
					if !errors.As(err, &canceled) {
						return
					}
					conflict := false
					for i, reason := range canceled.CancellationReasons {
						conflict = conflict || aws.ToString(reason.Code) == "TransactionConflict" && (mended || i == 0)
					}
					if !conflict {
						w.Errorf("a transaction was refused, and is not repeated")
					}
				}
			}, once)
			w.Finally(numberIs("a", 1))
		})
	}
	f := requireFailure(t, search(false))
	require.Equal(t, "client!Conflict:2", f.Schedule)
	requireProof(t, search(true))
}

// TestStaleTableOfBatch checks that a batch that reads one table strongly reads stale items of the
// other.
func TestStaleTableOfBatch(t *testing.T) {
	t.Parallel()
	search := func(reads int, mended bool) *explore.Report {
		setup := func(db *ddbtest.DB) {
			table()(db)
			create(db, &dynamodb.CreateTableInput{
				TableName: aws.String("others"), BillingMode: types.BillingModePayPerRequest,
				AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
				KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
			})
		}
		return explore.Search(explore.Options{Setup: setup, Faults: explore.Faults{explore.StaleRead: 1}}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				for _, name := range []string{"items", "others"} {
					_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(name), Item: key("a")})
					require.NoError(w, err)
				}
				out, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
					"items":  {Keys: []item{key("a")}, ConsistentRead: aws.Bool(true)},
					"others": {Keys: []item{key("a")}, ConsistentRead: aws.Bool(mended)},
				}})
				require.NoError(w, err)
				require.Len(w, out.Responses["items"], 1)
				if reads > 1 {
					require.Len(w, out.Responses["others"], 1)
				}
			})
			w.Finally(holds)
		})
	}
	requireFailure(t, search(2, false))
	requireProof(t, search(1, false)) // only the other table is read stale
	requireProof(t, search(2, true))
}

// TestStrongReads checks that the search of a service that reads strongly is complete with stale
// reads asked for, and that Lacks names them if a service reads nothing.
func TestStrongReads(t *testing.T) {
	t.Parallel()
	search := func(f func(consistent bool) client, consistent bool) *explore.Report {
		return explore.Search(explore.Options{
			Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.StaleRead: 1},
		}, func(w *explore.World) {
			w.Client("client", f(consistent))
			w.Finally(numberIs("a", 2))
		})
	}
	twice := func(consistent bool) client {
		return func(ctx context.Context, c *dynamodb.Client) {
			for range 2 {
				out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("items"), Key: key("a"), ConsistentRead: &consistent})
				if err == nil {
					_ = put(ctx, c, item{"id": str("a"), "n": num(number(out.Item, "n") + 1)})
				}
			}
		}
	}
	requireFailure(t, search(twice, false))
	requireProof(t, search(twice, true))
	require.Len(t, search(func(bool) client {
		return func(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, "a", 2) }
	}, true).Lacks, 1)
}

// TestStatements checks that a kind of fault is reported that DynamoDB has for a PartiQL statement
// and the search has not, and no other: a statement that reads strongly is never stale.
func TestStatements(t *testing.T) {
	t.Parallel()
	lacks := func(statement string, o explore.Options, consistent bool) []string {
		o.Setup = table(item{"id": str("a"), "n": num(1)})
		r := explore.Search(o, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				_, err := c.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: &statement, ConsistentRead: aws.Bool(consistent)})
				if err == nil {
					_, _ = c.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{
						TransactStatements: []types.ParameterizedStatement{{Statement: &statement}},
					})
				}
			})
			w.Client("writer", addOne)
			w.Client("batch", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = get(ctx, c, "a")
				var puts []types.WriteRequest
				for _, id := range []string{"x", "y"} {
					puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: key(id)}})
				}
				_, _ = c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"items": puts}})
			})
			w.Finally(holds)
		})
		require.Nil(t, r.Failure)
		require.Empty(t, r.CutOff)
		return r.Lacks
	}
	for _, c := range []struct {
		fault      explore.Kind
		statement  string
		consistent bool
		lacks      int
	}{
		{explore.LostReply, reading, false, 0},
		{explore.Throttle, reading, false, 1},
		{explore.StaleRead, reading, false, 1},
		{explore.StaleRead, reading, true, 0},
		{explore.StaleRead, writing, false, 0},
		{explore.Conflict, writing, false, 1},
		{explore.Unprocessed, writing, false, 0},
	} {
		require.Len(t, lacks(c.statement, explore.Options{Faults: explore.Faults{c.fault: 1}}, c.consistent), c.lacks, "%v: %s", c.fault, c.statement)
	}
}

// TestStrongStatements checks that a client that reads with statements only, all of them strongly,
// is complete with stale reads asked for.
func TestStrongStatements(t *testing.T) {
	t.Parallel()
	search := func(consistent bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(item{"id": str("a"), "n": num(1)}), Faults: explore.Faults{explore.StaleRead: 1}}, func(w *explore.World) {
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: aws.String(reading), ConsistentRead: &consistent})
			})
			w.Client("writer", addOne)
			w.Finally(holds)
		})
	}
	requireProof(t, search(true))
	require.NotEmpty(t, search(false).Lacks)
}

const (
	reading = "SELECT * FROM items WHERE id = 'a'"
	writing = "UPDATE items SET m = 1 WHERE id = 'a'"
)
