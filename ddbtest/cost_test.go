package ddbtest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

func scan(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.Scan(ctx, &dynamodb.ScanInput{
		TableName: aws.String(things), FilterExpression: aws.String("n = :n"), ExpressionAttributeValues: attributes{":n": number(7)},
	})
	return err
}

// sendRequests makes most kinds of requests: three single writes, one of which is retried, two
// reads, a page and a filtered page.
func sendRequests(t *testing.T, db *ddbtest.DB) {
	t.Helper()
	client := db.Client()
	rule := db.Fail(ddbtest.Op("UpdateItem"), ddbtest.AfterCommit(ddbtest.InternalError), ddbtest.First(1))
	for _, do := range []func(context.Context, *dynamodb.Client) error{put, increment, get, batchGet, query, scan} {
		require.NoError(t, do(t.Context(), client))
	}
	rule.Remove()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", 1), ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	require.Equal(t, "ConditionalCheckFailedException", resultOf(err))
	_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("c", 1, attributes{"color": text("red")})})
	require.NoError(t, err)
}

func TestCost(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Load(t, things, thing("a", 2), thing("a", 3)) // costs nothing
	cost := db.Measure(func() { sendRequests(t, db) })
	require.Equal(t, map[string]int{
		"PutItem": 3, "UpdateItem": 2, "GetItem": 1, "BatchGetItem": 1, "Query": 1, "Scan": 1,
	}, cost.Requests)
	require.Equal(t, 9, cost.Total())
	require.Equal(t, 5, cost.Total("PutItem", "UpdateItem"))
	require.Equal(t, map[string]int{"InternalServerError": 1, "ConditionalCheckFailedException": 1}, cost.Errors)
	require.Equal(t, map[string]ddbtest.Units{
		// The read units are those of a strong read, a batch of three, a page and a scan. The
		// failed condition costs a write unit, too.
		"things":         {Read: 1 + 3*0.5 + 0.5 + 0.5, Write: 5},
		"things/byColor": {Write: 1},
	}, cost.Tables)
	require.InDelta(t, 3.5, cost.ReadUnits, 0)
	require.InDelta(t, 6, cost.WriteUnits, 0)
	require.Equal(t, 2, cost.Pages)
	require.Equal(t, 1, cost.Filtered)
	require.Equal(t, []int{10, 6}, []int{cost.Evaluated, cost.Returned}, "a get, a batch of three with a miss, a page, and a scan whose filter leaves nothing")
	require.Contains(t, cost.String(), "things/byColor")

	require.Equal(t, cost, db.Cost(), "nothing else counted")
	twice := db.Measure(func() { require.NoError(t, get(t.Context(), db.Client())) })
	require.Equal(t, map[string]int{"GetItem": 1}, twice.Requests)
	require.Equal(t, map[string]ddbtest.Units{"things": {Read: 1}}, twice.Tables)
	require.Empty(t, twice.Errors)
}

// TestBudgets checks that the first request beyond the limit fails the test.
func TestBudgets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit ddbtest.Limit
		fails string // part of the failure text
	}{
		"no scan":           {ddbtest.Requests.AtMost(0, "Scan"), "Scan"},
		"no filter":         {ddbtest.FilteredReads.AtMost(0), "Scan"},
		"no error":          {ddbtest.ErrorReplies.AtMost(0), "UpdateItem"},
		"requests":          {ddbtest.Requests.AtMost(8), "PutItem"},
		"enough requests":   {ddbtest.Requests.AtMost(9), ""},
		"updates":           {ddbtest.Requests.AtMost(1, "UpdateItem"), "UpdateItem things attempt 2"},
		"enough updates":    {ddbtest.Requests.AtMost(2, "UpdateItem", "DeleteItem"), ""},
		"pages":             {ddbtest.Requests.AtMost(1, "Query", "Scan"), "Scan"},
		"enough pages":      {ddbtest.Requests.AtMost(2, "Query", "Scan"), ""},
		"read units":        {ddbtest.ReadUnits.AtMost(2), "BatchGetItem"},
		"enough read units": {ddbtest.ReadUnits.AtMost(3.5), ""},
		"write units":       {ddbtest.WriteUnits.AtMost(5.5), "PutItem"},
		"enough written":    {ddbtest.WriteUnits.AtMost(6), ""},
	} {
		db := setup(t)
		require.NoError(t, scan(t.Context(), db.Client()), "it does not count what was before")
		test := new(fakeTest)
		db.Budget(test, c.limit)
		sendRequests(t, db)
		if c.fails == "" {
			require.Empty(t, test.failures, name)
			test.end()
			continue
		}
		require.Len(t, test.failures, 1, name)
		require.Contains(t, test.failures[0], c.fails, name)
		test.end()
		require.Len(t, test.logs, 1, name)
		sendRequests(t, db)
		require.Len(t, test.failures, 1, "a budget ends with its test")
	}
}

// TestRequests checks that the log contains no values.
func TestRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		client := db.Client()
		db.Fail(ddbtest.Op("Query"), ddbtest.Delay(3*time.Second))
		began := time.Now()
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("a", 1, attributes{"color": text("secret")})})
		require.NoError(t, err)
		in := queryInput("secret")
		in.IndexName, in.KeyConditionExpression = aws.String("byColor"), aws.String("color = :pk")
		_, err = client.Query(t.Context(), in)
		require.NoError(t, err)
		log := db.Requests()
		require.Len(t, log, 2)
		wrote, read := log[0], log[1]
		require.Equal(t, []string{things}, wrote.Tables)
		require.Equal(t, 200, wrote.Status)
		require.Equal(t, began, wrote.At)
		require.InDelta(t, 2, wrote.WriteUnits, 0)
		require.Equal(t, "byColor", read.Index)
		require.Equal(t, 3*time.Second, read.Duration)
		require.Equal(t, "Delay(3s)", read.Fault)
		require.Equal(t, 1, read.Evaluated)
		require.Equal(t, 1, read.Returned)
		require.NotEqual(t, wrote.Call, read.Call)
		for _, r := range log {
			require.NotContains(t, r.String(), "secret")
			require.Nil(t, r.Body())
		}
	})
}

// TestKeepRequests also checks that the totals stay exact.
func TestKeepRequests(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{KeepRequests: 10})
	for range 25 {
		require.NoError(t, get(t.Context(), db.Client()))
	}
	log := db.Requests()
	require.Len(t, log, 10)
	for i := range log[1:] {
		require.Equal(t, log[i].Seq+1, log[i+1].Seq)
	}
	require.Equal(t, 25, db.Cost().Total())
	require.InDelta(t, 25, db.Cost().ReadUnits, 0)
}
