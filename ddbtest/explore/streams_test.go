package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// TestStreams checks that a reader of a stream sees the records of independent writers in every
// order, although the items are the same in the end.
func TestStreams(t *testing.T) {
	t.Parallel()
	setup := func(db *ddbtest.DB) {
		table()(db)
		_, err := db.Client().UpdateTable(context.Background(), &dynamodb.UpdateTableInput{
			TableName:           aws.String("items"),
			StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly},
		})
		require.NoError(t, err)
	}
	seen := map[string]bool{}
	r := explore.Search(explore.Options{Setup: setup, Faults: noFaults}, func(w *explore.World) {
		for _, name := range []string{"a", "b"} {
			w.Client(name, func(ctx context.Context, c *dynamodb.Client) { require.NoError(w, add(ctx, c, name, 1)) })
		}
		w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
			ids, err := records(ctx, streamsOf(c))
			require.NoError(w, err)
			seen[ids] = true
		})
		w.Finally(holds)
	})
	requireProof(t, r)
	require.Equal(t, map[string]bool{"": true, "a": true, "b": true, "ab": true, "ba": true}, seen)
}

// TestStreamsAndSharedMemory checks a search of which it is found first that a client reads a
// stream, and then that clients share memory.
func TestStreamsAndSharedMemory(t *testing.T) {
	t.Parallel()
	r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
		cached := 0
		w.Client("alice", func(ctx context.Context, c *dynamodb.Client) {
			_ = put(ctx, c, key("x"))
			cached = 1
		})
		w.Client("bob", func(ctx context.Context, c *dynamodb.Client) {
			_, _ = get(ctx, c, "y")
			_ = add(ctx, c, "a", cached)
		})
		w.Client("reader", func(ctx context.Context, c *dynamodb.Client) {
			_, _ = streamsOf(c).ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
		})
		w.Finally(holds)
	})
	requireProof(t, r)
	require.Contains(t, r.String(), "without reduction")
}

// streamsOf returns a client of streams whose requests are those of the client.
func streamsOf(c *dynamodb.Client) *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region: c.Options().Region, Credentials: c.Options().Credentials, BaseEndpoint: c.Options().BaseEndpoint,
		HTTPClient: c.Options().HTTPClient,
	})
}

// records returns the keys of all records of the one stream, in their order.
func records(ctx context.Context, c *dynamodbstreams.Client) (string, error) {
	list, err := c.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
	if err != nil {
		return "", err
	}
	arn := list.Streams[0].StreamArn
	stream, err := c.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		return "", err
	}
	iterator, err := c.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: stream.StreamDescription.Shards[0].ShardId, ShardIteratorType: streams.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		return "", err
	}
	out, err := c.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
	if err != nil {
		return "", err
	}
	ids := ""
	for _, r := range out.Records {
		ids += fmt.Sprint(r.Dynamodb.Keys["id"].(*streams.AttributeValueMemberS).Value)
	}
	return ids, nil
}
