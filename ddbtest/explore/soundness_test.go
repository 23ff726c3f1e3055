package explore_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestReductionOfPrograms checks that the reduced search of programs that were hard for it reaches
// the final states of the search of all orders.
func TestReductionOfPrograms(t *testing.T) {
	t.Parallel()
	consistent := aws.Bool(true)
	write := func(w *explore.World, id string, n int) client {
		return func(ctx context.Context, c *dynamodb.Client) {
			require.NoError(w, put(ctx, c, programItem("p", id, n)))
		}
	}
	transaction := func(ctx context.Context, c *dynamodb.Client, token string) error {
		_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: aws.String(token),
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: aws.String("items"), Key: item{"pk": str("p"), "sk": str("a")}, UpdateExpression: aws.String("ADD n :n"),
				ExpressionAttributeValues: item{":n": num(1)},
			}}},
		})
		return err
	}
	read := func(ctx context.Context, c *dynamodb.Client, sk string, consistent *bool) int {
		out, err := c.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: aws.String("items"), Key: item{"pk": str("p"), "sk": str(sk)}, ConsistentRead: consistent,
		})
		if err != nil {
			return -1
		}
		return number(out.Item, "n")
	}
	for name, c := range map[string]struct {
		options explore.Options
		states  int
		f       func(w *explore.World, saw func(...any))
	}{
		"timers of the same moment": {explore.Options{}, 2, func(w *explore.World, _ func(...any)) {
			for i, reads := range []int{1, 3} {
				w.Client(fmt.Sprint("c", i), func(ctx context.Context, c *dynamodb.Client) {
					for range reads {
						read(ctx, c, "x", consistent)
					}
					<-time.After(time.Second)
					write(w, "z", i)(ctx, c)
				})
			}
		}},
		"stale reads of several writes": {explore.Options{Faults: explore.Faults{explore.StaleRead: 1}}, 8, func(w *explore.World, saw func(...any)) {
			w.Client("a", write(w, "a", 1))
			w.Client("b", write(w, "b", 1))
			w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
				a := read(ctx, c, "a", consistent)
				out, err := c.Query(ctx, &dynamodb.QueryInput{
					TableName: aws.String("items"), KeyConditionExpression: aws.String("pk = :pk"), ExpressionAttributeValues: item{":pk": str("p")},
				})
				require.NoError(w, err)
				saw(a, itemsText(out.Items))
			})
		}},
		"the first reply of two": {explore.Options{}, 2, func(w *explore.World, saw func(...any)) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				first := make(chan string, 2)
				for _, id := range []string{"a", "b"} {
					go func() {
						write(w, id, 1)(ctx, c)
						first <- id
					}()
				}
				winner := <-first
				<-first
				read(ctx, c, "c", consistent)
				saw(winner)
			})
		}},
		"a conflict of a transaction that was applied": {
			explore.Options{Faults: explore.Faults{explore.LateRequest: 1, explore.Conflict: 1}}, 3,
			func(w *explore.World, saw func(...any)) {
				w.Client("client", func(ctx context.Context, c *dynamodb.Client) { saw(code(transaction(ctx, c, "token"))) })
			},
		},
		"the same token": {explore.Options{Faults: explore.Faults{explore.Throttle: 1}}, 3, func(w *explore.World, saw func(...any)) {
			for _, name := range []string{"a", "b"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) { saw(name, code(transaction(ctx, c, "token"))) })
			}
		}},
		"the same token for two transactions": {explore.Options{Faults: explore.Faults{explore.LostReply: 2}}, 12, func(w *explore.World, saw func(...any)) {
			for i, name := range []string{"a", "b"} {
				w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
					for range 2 {
						_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
							ClientRequestToken: aws.String("token"),
							TransactItems: []types.TransactWriteItem{{ConditionCheck: &types.ConditionCheck{
								TableName: aws.String("items"), Key: item{"pk": str("p"), "sk": str("a")},
								ConditionExpression:       aws.String("attribute_not_exists(pk) OR n = :n"),
								ExpressionAttributeValues: item{":n": num(i)},
							}}},
						})
						saw(name, code(err))
					}
				}, once)
			}
			w.Client("writer", write(w, "z", 1)) // so that something changes
		}},
		"a late request and a timer": {explore.Options{Faults: explore.Faults{explore.LateRequest: 1}}, 2, func(w *explore.World, _ func(...any)) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				_ = put(ctx, c, programItem("p", "a", 1))
				<-time.After(time.Second)
				_ = put(ctx, c, programItem("p", "a", 2))
			}, once)
		}},
		"a timeout beside a crash": {explore.Options{Faults: explore.Faults{explore.Crash: 1, explore.Pause: 0}}, 3, func(w *explore.World, saw func(...any)) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				ctx, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				saw(put(ctx, c, programItem("p", "a", 1)) == nil)
			})
			w.Client("b", func(ctx context.Context, c *dynamodb.Client) {
				<-time.After(2 * time.Second)
				saw(read(ctx, c, "a", consistent))
			})
		}},
		"a goroutine that renews": {explore.Options{Backoff: time.Second}, 3, func(w *explore.World, saw func(...any)) {
			w.Client("worker", func(ctx context.Context, c *dynamodb.Client) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					<-time.After(time.Second)
					write(w, "a", 1)(ctx, c)
				}()
				saw(read(ctx, c, "a", consistent))
				saw(read(ctx, c, "a", consistent))
				<-done
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.options.Faults == nil {
				c.options.Faults = noFaults
			}
			c.options.Setup = collections()
			all := finalStates(t, c.options, true, c.f)
			require.Len(t, all, c.states, all)
			require.Equal(t, all, finalStates(t, c.options, false, c.f))
		})
	}
}

// finalStates returns the final states of a program: the items, and what its clients saw.
func finalStates(t *testing.T, o explore.Options, all bool, f func(w *explore.World, saw func(...any))) []string {
	t.Helper()
	found := map[string]bool{}
	o.NoReduction = all
	r := explore.Search(o, func(w *explore.World) {
		var seen []string
		f(w, func(what ...any) { seen = append(seen, fmt.Sprint(what...)) })
		w.Finally(func(db *ddbtest.DB) error {
			hash := db.Hash()
			found[fmt.Sprint(hex.EncodeToString(hash[:4]), sorted(slices.Clone(seen)))] = true
			return nil
		})
	})
	requireProof(t, r)
	return sorted(slices.Collect(maps.Keys(found)))
}

// TestTokensOfClients checks that each client, also one that is started again, has tokens of its
// own, and that those of several goroutines repeat themselves.
func TestTokensOfClients(t *testing.T) {
	t.Parallel()
	addInTransaction := func(ctx context.Context, c *dynamodb.Client, id string) {
		_, _ = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Update: &types.Update{
			TableName: aws.String("items"), Key: key(id), UpdateExpression: aws.String("ADD n :n"),
			ExpressionAttributeValues: item{":n": num(1)},
		}}}})
	}
	const long = "client-with-20-bytes"
	f := requireFailure(t, explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Crash: 1}}, func(w *explore.World) {
		run := func(ctx context.Context, c *dynamodb.Client) {
			addInTransaction(ctx, c, "a")
			addInTransaction(ctx, c, "b")
		}
		w.Client(long, run)
		w.Restart(long, run)
		w.Finally(numberIs("a", 1))
	}))
	require.Equal(t, 1, f.Faults)

	requireProof(t, explore.Search(explore.Options{Setup: table()}, func(w *explore.World) {
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			done := make(chan struct{})
			for _, id := range []string{"a", "b", "c"} {
				go func() {
					defer func() { done <- struct{}{} }()
					addInTransaction(ctx, c, id)
				}()
			}
			for range 3 {
				<-done
			}
		})
		for _, id := range []string{"a", "b", "c"} {
			w.Finally(numberIs(id, 1))
		}
	}))
}

// TestConsistentBatch checks that a batch that reads a table consistently is never stale.
func TestConsistentBatch(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.StaleRead: 1}}, func(w *explore.World) {
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			require.NoError(w, add(ctx, c, "a", 1))
			out, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
				"items": {Keys: []item{key("a")}, ConsistentRead: aws.Bool(true)},
			}})
			require.NoError(w, err)
			require.Len(w, out.Responses["items"], 1)
		})
		w.Finally(holds)
	})
	requireProof(t, r)
}
