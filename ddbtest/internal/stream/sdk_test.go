package stream_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

const things = "things"

// start returns a database with a table whose stream is enabled, and whose TTL attribute is "ttl".
func start(t *testing.T) *ddbtest.DB {
	t.Helper()
	db := ddbtest.Start(t)
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String(things),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	_, err := db.Client().UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(things), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: aws.Bool(true)},
	})
	require.NoError(t, err)
	return db
}

// shards returns the shards of the only stream.
func shards(t *testing.T, streams *dynamodbstreams.Client) (arn string, shards []streamtypes.Shard) {
	t.Helper()
	list, err := streams.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{TableName: aws.String(things)})
	require.NoError(t, err)
	require.Len(t, list.Streams, 1)
	out, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: list.Streams[0].StreamArn})
	require.NoError(t, err)
	return *list.Streams[0].StreamArn, out.StreamDescription.Shards
}

// shardPosition returns an iterator at the start of a shard.
func shardPosition(t *testing.T, streams *dynamodbstreams.Client, arn string, shard *string) *string {
	t.Helper()
	out, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &arn, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	require.NoError(t, err)
	return out.ShardIterator
}

func item(id string, ttl int64) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk":    &types.AttributeValueMemberS{Value: id},
		"ttl":   &types.AttributeValueMemberN{Value: strconv.FormatInt(ttl, 10)},
		"empty": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
	}
}

// TestStreamsThroughTheSDK writes with every write operation, expires an item, and reads the
// stream.
func TestStreamsThroughTheSDK(t *testing.T) {
	t.Parallel()
	db := start(t)
	client, streams := db.Client(), db.StreamsClient()
	ttl := db.Clock().Now().Unix() + 60
	key := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "updated"}}

	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: item("put", ttl)})
	require.NoError(t, err)
	_, err = client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String(things), Item: item("transaction", 0)}},
		{Update: &types.Update{TableName: aws.String(things), Key: key, UpdateExpression: aws.String("SET n = :n"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: "1"}}}},
	}})
	require.NoError(t, err)
	_, err = client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
		{PutRequest: &types.PutRequest{Item: item("transaction", 0)}}, // unchanged
		{DeleteRequest: &types.DeleteRequest{Key: key}},
	}}})
	require.NoError(t, err)
	db.Clock().Advance(time.Hour)

	arn, all := shards(t, streams)
	require.Len(t, all, 1)
	out, err := streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: shardPosition(t, streams, arn, all[0].ShardId)})
	require.NoError(t, err)
	var told []string
	for _, r := range out.Records {
		id := r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value
		told = append(told, fmt.Sprint(id, " ", r.EventName, " ", len(r.Dynamodb.OldImage), len(r.Dynamodb.NewImage)))
	}
	require.Equal(t, []string{"put INSERT 0 3", "transaction INSERT 0 3", "updated INSERT 0 2", "updated REMOVE 2 0", "put REMOVE 3 0"}, told)

	expired := out.Records[4]
	require.Equal(t, "Service dynamodb.amazonaws.com", *expired.UserIdentity.Type+" "+*expired.UserIdentity.PrincipalId)
	require.Equal(t, map[string]streamtypes.AttributeValue{}, expired.Dynamodb.OldImage["empty"].(*streamtypes.AttributeValueMemberM).Value)
	require.WithinRange(t, *expired.Dynamodb.ApproximateCreationDateTime, time.Unix(ttl, 0), db.Clock().Now())
	require.Nil(t, out.Records[3].UserIdentity)
}

// TestStreamErrorsThroughTheSDK advances the clock until the client receives the errors, as its own
// types.
func TestStreamErrorsThroughTheSDK(t *testing.T) {
	t.Parallel()
	db := start(t)
	streams := db.StreamsClient()
	db.Load(t, things, item("a", 0))
	arn, all := shards(t, streams)
	oldest := shardPosition(t, streams, arn, all[0].ShardId)
	first := all[0].SequenceNumberRange.StartingSequenceNumber

	db.Clock().Advance(16 * time.Minute)
	_, err := streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: oldest})
	require.ErrorAs(t, err, new(*streamtypes.ExpiredIteratorException))

	db.Clock().Advance(24 * time.Hour)
	_, all = shards(t, streams)
	require.Len(t, all, 2)
	require.Equal(t, all[0].ShardId, all[1].ParentShardId)
	_, err = streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: &arn, ShardId: all[0].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeAtSequenceNumber, SequenceNumber: first,
	})
	require.ErrorAs(t, err, new(*streamtypes.TrimmedDataAccessException))

	_, err = streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: aws.String(arn + "x")})
	require.ErrorAs(t, err, new(*streamtypes.ResourceNotFoundException))
}

// TestStreamsOutliveTheirTablesThroughTheSDK reads the stream of a deleted table until it is gone.
func TestStreamsOutliveTheirTablesThroughTheSDK(t *testing.T) {
	t.Parallel()
	db := start(t)
	streams := db.StreamsClient()
	db.Load(t, things, item("a", 0))
	_, err := db.Client().DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(things)})
	require.NoError(t, err)

	arn, all := shards(t, streams)
	out, err := streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: shardPosition(t, streams, arn, all[0].ShardId)})
	require.NoError(t, err)
	require.Len(t, out.Records, 1)
	require.Nil(t, out.NextShardIterator)

	db.Clock().Advance(24 * time.Hour)
	list, err := streams.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{})
	require.NoError(t, err)
	require.Empty(t, list.Streams)
}
