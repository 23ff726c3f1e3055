package ddbtest_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestThrottlingReasons checks that the client gets the reasons.
func TestThrottlingReasons(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded", "TableWriteMaxOnDemandThroughputExceeded"))
	var throttled *types.ThrottlingException
	require.ErrorAs(t, increment(t.Context(), db.Client(once)), &throttled)
	require.Equal(t, []types.ThrottlingReason{
		{Reason: aws.String("TableWriteKeyRangeThroughputExceeded"), Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things")},
		{Reason: aws.String("TableWriteMaxOnDemandThroughputExceeded"), Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things")},
	}, throttled.ThrottlingReasons)
}

// TestThrottlingByBillingMode covers on-demand and provisioned tables.
func TestThrottlingByBillingMode(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.ProvisionedThroughput = &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)}
	in.GlobalSecondaryIndexes[0].ProvisionedThroughput = in.ProvisionedThroughput
	db.CreateTable(t, in)
	db.Fail(ddbtest.Throttle())
	require.Equal(t, "ProvisionedThroughputExceededException", resultOf(increment(t.Context(), db.Client(once))))
	require.Equal(t, "ThrottlingException", resultOf(func() error {
		db := setup(t)
		db.Fail(ddbtest.Throttle())
		return increment(t.Context(), db.Client(once))
	}()))
}

// TestThrottledIndexWrites covers every kind of write. Pages of the index are not throttled.
func TestThrottledIndexWrites(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client(once)
	rule := db.Fail(ddbtest.OnIndex("byColor"), ddbtest.Throttle("IndexWriteKeyRangeThroughputExceeded"))
	require.NoError(t, rule.Err())
	for _, do := range []func(context.Context, *dynamodb.Client) error{put, increment, batchWrite} {
		var throttled *types.ThrottlingException
		require.ErrorAs(t, do(t.Context(), client), &throttled)
		require.Equal(t, []types.ThrottlingReason{{
			Reason:   aws.String("IndexWriteKeyRangeThroughputExceeded"),
			Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things/index/byColor"),
		}}, throttled.ThrottlingReasons)
	}
	require.Equal(t, "TransactionCanceledException", resultOf(transactWrite(t.Context(), client)))
	for _, do := range []func(context.Context, *dynamodb.Client) error{get, query, batchGet, transactGet} {
		require.NoError(t, do(t.Context(), client))
	}
	require.Equal(t, 4, rule.Hits())
}

// TestThrottledBatchParts checks that the other parts are applied, and that a batch
// with only throttled parts fails.
func TestThrottledBatchParts(t *testing.T) {
	t.Parallel()
	db := setup(t)
	key := func(id string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: id}, "sk": &types.AttributeValueMemberN{Value: "1"}}
	}
	db.Fail(ddbtest.OnKey(key("a")), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded")).MustHit(t)
	write := func(ids ...string) (*dynamodb.BatchWriteItemOutput, error) {
		var writes []types.WriteRequest
		for _, id := range ids {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: key(id)}})
		}
		return db.Client(once).BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"things": writes}})
	}
	out, err := write("a", "c")
	require.NoError(t, err)
	require.Len(t, out.UnprocessedItems["things"], 1)
	require.Equal(t, key("a"), out.UnprocessedItems["things"][0].PutRequest.Item)
	require.Contains(t, db.Dump("things"), key("c"))
	_, err = write("a")
	require.Equal(t, "ThrottlingException", resultOf(err))
}

// TestLoadIgnoresLag checks that reads with a lag return loaded items.
func TestLoadIgnoresLag(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Lag: ddbtest.Lag{Items: ddbtest.UntilSettled, Indexes: ddbtest.UntilSettled}})
	db.CreateTable(t, thingsTable())
	item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}, "sk": &types.AttributeValueMemberN{Value: "1"}}
	db.Load(t, "things", item)
	out, err := db.Client().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("things"), Key: item})
	require.NoError(t, err)
	require.Equal(t, item, out.Item)
}
