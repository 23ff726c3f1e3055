package ddbtest_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// add adds to n of the thing a, 1.
func add(ctx context.Context, c *dynamodb.Client, amount int) error {
	_, err := c.UpdateItem(ctx, &updateInput{
		TableName: aws.String(things), Key: thing("a", 1), UpdateExpression: aws.String("ADD n :n"),
		ExpressionAttributeValues: attributes{":n": number(amount)},
	})
	return err
}

func TestLateDuplicate(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.LateDuplicate, ddbtest.First(1))
	require.NoError(t, increment(t.Context(), db.Client()))
	require.Equal(t, 2, n(t, db), "the client saw one success")
	log := db.Requests()
	require.Len(t, log, 3)
	require.Equal(t, "LateDuplicate", log[0].Fault)
	require.Zero(t, log[0].Status+int(log[0].WriteUnits))
	require.Equal(t, 2, log[1].Attempt)
	require.True(t, log[2].Late)
	require.Equal(t, 2, db.Cost().Total("UpdateItem"))
	require.InDelta(t, 2, db.Cost().WriteUnits, 0)
}

// TestLateDuplicateWaits checks that other writes do not release the duplicate, and that the same
// request does. LateDuplicateAfterWrite then waits for another write to the same item.
func TestLateDuplicateWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault ddbtest.Fault
		want  []int
	}{
		{ddbtest.LateDuplicate, []int{0, 10, 12, 22, 23}},
		{ddbtest.LateDuplicateAfterWrite, []int{0, 10, 11, 22, 23}},
	} {
		db := setup(t)
		client := db.Client(once)
		db.Fail(c.fault, ddbtest.First(1))
		require.Equal(t, "reset", resultOf(add(t.Context(), client, 1)))
		got := []int{n(t, db)}
		for _, amount := range []int{10, 1, 10, 1} {
			require.NoError(t, add(t.Context(), client, amount))
			got = append(got, n(t, db))
		}
		require.Equal(t, c.want, got)
	}
}

// TestLateDuplicateAfterWrite checks that the first attempt of a put overwrites a later
// write of another client.
func TestLateDuplicateAfterWrite(t *testing.T) {
	t.Parallel()
	for _, do := range []func(context.Context, *dynamodb.Client) error{put, batchWrite} {
		db := setup(t)
		db.Fail(ddbtest.LateDuplicateAfterWrite, ddbtest.First(1))
		require.NoError(t, do(t.Context(), db.Client()))
		require.Equal(t, 1, n(t, db))
		require.NoError(t, add(t.Context(), db.Client(), 10))
		require.Equal(t, 1, n(t, db))
	}
}

// TestLateDuplicateOfTransaction checks that the duplicate has the token of the applied
// transaction.
func TestLateDuplicateOfTransaction(t *testing.T) {
	t.Parallel()
	for _, fault := range []ddbtest.Fault{ddbtest.LateDuplicate, ddbtest.LateDuplicateAfterWrite} {
		db := setup(t)
		db.Fail(fault, ddbtest.First(1), ddbtest.Op("TransactWriteItems"))
		require.NoError(t, transactWrite(t.Context(), db.Client()))
		require.NoError(t, add(t.Context(), db.Client(), 10))
		require.Equal(t, 11, n(t, db))
		require.Len(t, db.Requests(), 4)
	}
}

// TestLateDuplicateFails checks that a duplicate does nothing if its condition fails on
// arrival.
func TestLateDuplicateFails(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.LateDuplicate, ddbtest.First(1))
	_, err := db.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", 1, attributes{"n": number(1)}), ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	require.NoError(t, err)
	last := db.Requests()[2]
	require.True(t, last.Late)
	require.Equal(t, "ConditionalCheckFailedException", last.ErrorCode)
}

func TestDeliverLate(t *testing.T) {
	t.Parallel()
	for _, force := range []func(*ddbtest.DB){(*ddbtest.DB).DeliverLate, (*ddbtest.DB).Close} {
		db := setup(t)
		db.Fail(ddbtest.LateDuplicateAfterWrite, ddbtest.Op("UpdateItem"))
		// three attempts, all held
		require.Equal(t, "reset", resultOf(increment(t.Context(), db.Client())))
		db.ClearFaults()
		require.Zero(t, n(t, db))
		force(db)
		require.Equal(t, 3, n(t, db))
		force(db)
		require.Equal(t, 3, n(t, db))
	}
}

// TestDelayedRequestOfGoneClient checks that both the retry and the first attempt
// are applied.
func TestDelayedRequestOfGoneClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		client := db.Client(once)
		db.Fail(ddbtest.Delay(time.Minute), ddbtest.First(1))
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, "gone", resultOf(add(brief, client, 1)))
		require.NoError(t, add(t.Context(), client, 10))
		require.Equal(t, 10, n(t, db))
		<-time.After(59 * time.Second)
		require.NoError(t, get(t.Context(), client))
		require.Equal(t, 11, n(t, db))
		require.Len(t, db.Requests(), 4)
	})
}

// TestDelayedRequestThatIsLost checks that it is not applied.
func TestDelayedRequestThatIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Fail(ddbtest.Delay(time.Minute), ddbtest.Reset, ddbtest.First(1))
		brief, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, "gone", resultOf(add(brief, db.Client(once), 1)))
		db.Advance(time.Hour)
		require.Zero(t, n(t, db))
	})
}

// TestAdvanceEndsDelays covers clients that wait and clients that have gone.
func TestAdvanceEndsDelays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		client := db.Client(once)
		db.Fail(ddbtest.Delay(24*time.Hour), ddbtest.Op("UpdateItem"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- add(t.Context(), client, 1) }()
		go func() { done <- add(ctx, client, 10) }()
		synctest.Wait()
		cancel()
		require.Equal(t, "gone", resultOf(<-done))
		began := time.Now()
		db.Advance(25 * time.Hour)
		require.NoError(t, <-done)
		require.Zero(t, time.Since(began))
		require.Equal(t, 11, n(t, db))
	})
}

// TestEqualWritesOfDifferentCalls checks that equal requests of different calls are distinguished,
// for example workers that each add 1 to a counter.
func TestEqualWritesOfDifferentCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault ddbtest.Fault
		want  []int // n after each of three writers; the SDK retries the first
	}{
		{ddbtest.LateDuplicate, []int{2, 3, 4}},
		{ddbtest.LateDuplicateAfterWrite, []int{1, 3, 4}},
	} {
		db := setup(t)
		db.Fail(c.fault, ddbtest.First(1))
		var got []int
		for range 3 {
			require.NoError(t, increment(t.Context(), db.Client()))
			got = append(got, n(t, db))
		}
		require.Equal(t, c.want, got, c.fault)
	}
}

// TestLateDuplicateIgnoresOtherRequests covers requests that do not release a held duplicate: a
// condition check of the item, a batch that left it unprocessed, and a transaction whose token was
// used before.
func TestLateDuplicateIgnoresOtherRequests(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client()
	token := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("done"), TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String(things), Item: thing("a", 1, attributes{"n": number(0)})}},
	}}
	_, err := client.TransactWriteItems(t.Context(), token)
	require.NoError(t, err)
	db.Fail(ddbtest.LateDuplicateAfterWrite, ddbtest.First(1))
	require.NoError(t, increment(t.Context(), client))

	_, err = client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{ConditionCheck: &types.ConditionCheck{TableName: aws.String(things), Key: thing("a", 1), ConditionExpression: aws.String("attribute_exists(pk)")}},
		{Put: &types.Put{TableName: aws.String(things), Item: thing("b", 1)}},
	}})
	require.NoError(t, err)
	unprocessed := db.Fail(ddbtest.Unprocessed(1))
	require.NoError(t, batchWrite(t.Context(), client))
	require.Equal(t, 1, unprocessed.Hits())
	unprocessed.Remove()
	_, err = client.TransactWriteItems(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, 1, n(t, db))
	require.NoError(t, increment(t.Context(), client))
	require.Equal(t, 3, n(t, db), "now somebody wrote")
}

// TestThrottledRetryDoesNotCount checks that the duplicate waits for a retry that is served.
func TestThrottledRetryDoesNotCount(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(context.Context, *dynamodb.Client) error{"update": increment, "transaction": transactWrite} {
		synctest.Test(t, func(t *testing.T) {
			db := setup(t)
			client := db.Client(once)
			require.NoError(t, put(t.Context(), client))
			db.Fail(ddbtest.LateDuplicate, ddbtest.First(1))
			require.Equal(t, "reset", resultOf(do(t.Context(), client)))
			db.LimitPartitions(ddbtest.Units{Write: 1})
			require.NoError(t, put(t.Context(), client))
			require.Error(t, do(t.Context(), client), name)
			require.Equal(t, 1, n(t, db))
			require.Len(t, db.Pending(), 1)
			<-time.After(time.Minute)
			require.Equal(t, "success", resultOf(do(t.Context(), client)), name)
			require.Empty(t, db.Pending())
		})
	}
}

// TestPending checks that they are in the order of their arrival.
func TestPending(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		client := db.Client(once)
		show := func() (pending []string) {
			for _, r := range db.Pending() {
				pending = append(pending, r.String())
			}
			return pending
		}
		require.Empty(t, show())
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.LateDuplicate)
		db.Fail(ddbtest.Op("GetItem"), ddbtest.Delay(time.Minute))
		db.Fail(ddbtest.Op("Query"), ddbtest.AfterCommit(ddbtest.Hang))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- get(t.Context(), client) }()
		synctest.Wait()
		go func() { done <- query(ctx, client) }()
		synctest.Wait()
		require.Equal(t, "reset", resultOf(increment(t.Context(), client)))
		require.Equal(t, []string{
			"#1 GetItem things: no reply, Delay(1m0s)",
			"#2 Query things: no reply, 0.5 read, 0 written, AfterCommit(Hang)",
			"#3 UpdateItem things late: no reply, LateDuplicate",
		}, show())
		cancel()
		require.Equal(t, "gone", resultOf(<-done))
		db.Advance(time.Minute)
		require.NoError(t, <-done)
		db.DeliverLate()
		require.Empty(t, show())
		require.Len(t, db.Requests(), 4)
	})
}

// TestDueRequestsAreApplied checks that each method applies the delayed request of a client that
// has gone, without another request.
func TestDueRequestsAreApplied(t *testing.T) {
	t.Parallel()
	for name, see := range map[string]func(*testing.T, *ddbtest.DB) int{
		"Dump":          n,
		"Requests":      func(_ *testing.T, db *ddbtest.DB) int { return len(db.Requests()) - 1 },
		"Cost":          func(_ *testing.T, db *ddbtest.DB) int { return int(db.Cost().WriteUnits) },
		"HotPartitions": func(_ *testing.T, db *ddbtest.DB) int { return len(db.HotPartitions(1)) },
		"Fork":          func(t *testing.T, db *ddbtest.DB) int { return n(t, db.Fork()) },
		"Snapshot": func(t *testing.T, db *ddbtest.DB) int {
			other := ddbtest.Start(t)
			other.Restore(db.Snapshot())
			return n(t, other)
		},
		"Settle": func(t *testing.T, db *ddbtest.DB) int {
			db.Settle()
			out, err := db.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(things)})
			require.NoError(t, err)
			return int(out.Count)
		},
		"WriteRecording": func(t *testing.T, db *ddbtest.DB) int {
			var log strings.Builder
			require.NoError(t, db.WriteRecording(&log))
			return strings.Count(log.String(), "UpdateItem")
		},
		"Pending": func(_ *testing.T, db *ddbtest.DB) int { return 1 - len(db.Pending()) },
	} {
		synctest.Test(t, func(t *testing.T) {
			db := setup(t, ddbtest.Options{Record: name == "WriteRecording", Lag: ddbtest.Lag{Items: ddbtest.UntilSettled}})
			db.Fail(ddbtest.Delay(time.Minute), ddbtest.First(1))
			brief, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			require.Equal(t, "gone", resultOf(increment(brief, db.Client(once))))
			<-time.After(time.Hour)
			require.Equal(t, 1, see(t, db), name)
		})
	}
}
