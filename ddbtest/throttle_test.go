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

// TestReasonsOfThrottling reach the client.
func TestReasonsOfThrottling(t *testing.T) {
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

// TestThrottlingIsAsTheTableIsPaid: per request, or for provisioned units.
func TestThrottlingIsAsTheTableIsPaid(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.ProvisionedThroughput = &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)}
	in.GlobalSecondaryIndexes[0].ProvisionedThroughput = in.ProvisionedThroughput
	db.CreateTable(t, in)
	db.Fail(ddbtest.Throttle())
	require.Equal(t, "ProvisionedThroughputExceededException", seen(increment(t.Context(), db.Client(once))))
	require.Equal(t, "ThrottlingException", seen(func() error {
		db := setup(t)
		db.Fail(ddbtest.Throttle())
		return increment(t.Context(), db.Client(once))
	}()))
}

// TestWritesThatAnIndexCannotTake are throttled for the index, in each kind of write; its pages are not.
func TestWritesThatAnIndexCannotTake(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client(once)
	rule := db.Fail(ddbtest.OnIndex("byColor"), ddbtest.Throttle("IndexWriteKeyRangeThroughputExceeded"))
	require.NoError(t, rule.Err())
	for _, do := range []func(context.Context, *dynamodb.Client) error{put, increment, batchWrite, transactWrite} {
		var throttled *types.ThrottlingException
		require.ErrorAs(t, do(t.Context(), client), &throttled)
		require.Equal(t, []types.ThrottlingReason{{
			Reason:   aws.String("IndexWriteKeyRangeThroughputExceeded"),
			Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things/index/byColor"),
		}}, throttled.ThrottlingReasons)
	}
	for _, do := range []func(context.Context, *dynamodb.Client) error{get, query, batchGet, transactGet} {
		require.NoError(t, do(t.Context(), client))
	}
	require.Equal(t, 4, rule.Hits())
}
