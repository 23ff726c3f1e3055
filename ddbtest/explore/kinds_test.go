package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// once is a client option: the client does not retry.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// outcomes runs one client of one request with one fault, and returns the distinct outcomes: what
// the request returned, and the items in the end.
func outcomes(t *testing.T, k explore.Kind, request func(context.Context, *dynamodb.Client) error, options ...func(*dynamodb.Options)) []string {
	t.Helper()
	found := map[string]bool{}
	r := explore.Search(explore.Options{
		Setup: table(item{"id": str("a"), "n": num(1)}), Faults: explore.Faults{k: 1},
	}, func(w *explore.World) {
		result := "crashed"
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) { result = code(request(ctx, c)) }, options...)
		w.Finally(func(db *ddbtest.DB) error {
			text := result
			for _, i := range db.Dump("items") {
				text += fmt.Sprint(" ", number(i, "n"))
			}
			found[text] = true
			return nil
		})
	})
	requireProof(t, r)
	require.Positive(t, r.Faults[k])
	var list []string
	for text := range found {
		list = append(list, text)
	}
	return sorted(list)
}

// TestKinds checks what each kind of fault does to a write and to its client. The first outcome of
// each line is the one without the fault, or they are in the order of their text.
func TestKinds(t *testing.T) {
	t.Parallel()
	addOne := func(ctx context.Context, c *dynamodb.Client) error { return add(ctx, c, "a", 1) }
	transaction := func(ctx context.Context, c *dynamodb.Client) error {
		_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{
			Update: &types.Update{
				TableName: aws.String("items"), Key: key("a"), UpdateExpression: aws.String("ADD n :n"),
				ExpressionAttributeValues: item{":n": num(1)},
			},
		}}})
		return err
	}
	for _, c := range []struct {
		kind    explore.Kind
		request func(context.Context, *dynamodb.Client) error
		retries bool
		want    []string
	}{
		{explore.LostRequest, addOne, false, []string{"no reply 1", "ok 2"}},
		{explore.LostRequest, addOne, true, []string{"ok 2"}},
		{explore.LostReply, addOne, false, []string{"no reply 2", "ok 2"}},
		{explore.LostReply, addOne, true, []string{"ok 2", "ok 3"}},
		{explore.LostReply, transaction, true, []string{"ok 2"}},
		{explore.LateRequest, addOne, false, []string{"no reply 2", "ok 2"}},
		{explore.LateRequest, addOne, true, []string{"ok 2", "ok 3"}},
		{explore.LateRequest, transaction, true, []string{"ok 2"}},
		{explore.Throttle, addOne, false, []string{"ThrottlingException 1", "ok 2"}},
		{explore.Throttle, addOne, true, []string{"ok 2"}},
		{explore.Conflict, addOne, true, []string{"TransactionConflictException 1", "ok 2"}},
		{explore.Conflict, transaction, true, []string{"TransactionCanceledException 1", "ok 2"}},
		{explore.ServerError, addOne, false, []string{"InternalServerError 1", "ok 2"}},
		{explore.ServerError, addOne, true, []string{"ok 2"}},
		{explore.ServerErrorAfter, addOne, false, []string{"InternalServerError 2", "ok 2"}},
		{explore.ServerErrorAfter, addOne, true, []string{"ok 2", "ok 3"}},
		{explore.Crash, addOne, true, []string{"crashed 1", "ok 2"}},
	} {
		t.Run(fmt.Sprintf("%s retries %t", c.kind, c.retries), func(t *testing.T) {
			t.Parallel()
			var options []func(*dynamodb.Options)
			if !c.retries {
				options = append(options, once)
			}
			require.Equal(t, c.want, outcomes(t, c.kind, c.request, options...))
		})
	}
}

// TestUnprocessed checks that each part of a batch of three is left undone, alone and with another.
func TestUnprocessed(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	r := explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Unprocessed: 1}}, func(w *explore.World) {
		w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
			var writes []types.WriteRequest
			for _, id := range []string{"a", "b", "c"} {
				writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: key(id)}})
			}
			out, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"items": writes}})
			require.NoError(w, err)
			text := ""
			for _, undone := range out.UnprocessedItems["items"] {
				text += undone.PutRequest.Item["id"].(*types.AttributeValueMemberS).Value
			}
			found[text] = true
		})
		w.Finally(holds)
	})
	requireProof(t, r)
	var list []string
	for text := range found {
		list = append(list, text)
	}
	require.Equal(t, []string{"", "a", "ab", "ac", "b", "bc", "c"}, sorted(list))
}

// TestStaleRead checks that a read sees each earlier content, and a consistent read only the last.
func TestStaleRead(t *testing.T) {
	t.Parallel()
	for _, consistent := range []bool{false, true} {
		seen := map[int]bool{}
		r := explore.Search(explore.Options{
			Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.StaleRead: 1},
		}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				for range 3 {
					require.NoError(w, add(ctx, c, "a", 1))
				}
				out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("items"), Key: key("a"), ConsistentRead: &consistent})
				require.NoError(w, err)
				seen[number(out.Item, "n")] = true
			})
			w.Finally(numberIs("a", 3))
		})
		requireProof(t, r)
		if consistent {
			require.Equal(t, map[int]bool{3: true}, seen)
		} else {
			require.Equal(t, map[int]bool{0: true, 1: true, 2: true, 3: true}, seen)
		}
	}
}

// TestCrash checks that a crashed client sends nothing more, not even in its deferred functions,
// and that its successor starts after it.
func TestCrash(t *testing.T) {
	t.Parallel()
	restarts := map[int]bool{}
	r := explore.Search(explore.Options{
		Setup: table(item{"id": str("a"), "n": num(0)}), Faults: explore.Faults{explore.Crash: 1},
	}, func(w *explore.World) {
		crashed := true
		w.Client("worker", func(ctx context.Context, c *dynamodb.Client) {
			defer func() {
				if crashed {
					_ = add(ctx, c, "a", 100)
				}
			}()
			require.NoError(w, add(ctx, c, "a", 1))
			require.NoError(w, add(ctx, c, "a", 1))
			crashed = false
		})
		w.Restart("worker", func(ctx context.Context, c *dynamodb.Client) {
			i, err := get(ctx, c, "a")
			require.NoError(w, err)
			restarts[number(i, "n")] = true
			require.NoError(w, add(ctx, c, "a", 2-number(i, "n")))
		})
		w.Finally(numberIs("a", 2))
	})
	requireProof(t, r)
	require.Equal(t, map[int]bool{0: true, 1: true, 2: true}, restarts, "before each request of the worker, and after the last")
}

// TestCrashOfGoroutines checks that a client with several goroutines can crash, and that one of
// which a goroutine does not end is reported.
func TestCrashOfGoroutines(t *testing.T) {
	t.Parallel()
	search := func(leak bool) *explore.Report {
		return explore.Search(explore.Options{Setup: table(), Faults: explore.Faults{explore.Crash: 1}}, func(w *explore.World) {
			w.Client("client", func(ctx context.Context, c *dynamodb.Client) {
				errs := make(chan error, 2)
				for _, id := range []string{"a", "b"} {
					go func() {
						err := add(ctx, c, id, 1)
						if err != nil && leak {
							<-make(chan struct{})
						}
						errs <- err
					}()
				}
				for range 2 {
					if err := <-errs; err != nil {
						return
					}
				}
			})
			w.Finally(holds)
		})
	}
	requireProof(t, search(false))
	requireFailure(t, search(true))
}
