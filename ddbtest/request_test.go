package ddbtest_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestOnTableMatchesStream covers every stream operation that names a stream.
func TestOnTableMatchesStream(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly}
	db.CreateTable(t, in)
	createThings(t, db, "others")
	var o dynamodbstreams.Options
	db.ConfigureStreams(&o)
	client, ctx := dynamodbstreams.New(o), t.Context()
	require.Equal(t, "us-east-1", o.Region)

	listed, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(things)})
	require.NoError(t, err)
	stream := listed.Streams[0].StreamArn
	var shard, iterator *string
	steps := []struct {
		operation string
		call      func() error
	}{
		{"ListStreams", func() error {
			_, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(things)})
			return err
		}},
		{"DescribeStream", func() error {
			out, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: stream})
			if err == nil {
				shard = out.StreamDescription.Shards[0].ShardId
			}
			return err
		}},
		{"GetShardIterator", func() error {
			out, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
				StreamArn: stream, ShardId: shard, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
			})
			if err == nil {
				iterator = out.ShardIterator
			}
			return err
		}},
		{"GetRecords", func() error {
			_, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator})
			return err
		}},
	}
	for _, step := range steps {
		other := db.Fail(ddbtest.Op(step.operation), ddbtest.OnTable("others"), ddbtest.Reset)
		rule := db.Fail(ddbtest.Op(step.operation), ddbtest.OnTable(things), ddbtest.Nth(1), ddbtest.Error("Chosen", "", 400))
		require.Equal(t, "Chosen", resultOf(step.call()), step.operation)
		require.NoError(t, step.call(), step.operation)
		require.Equal(t, []int{0, 1}, []int{other.Hits(), rule.Hits()}, step.operation)
		requests := db.Requests()
		require.Equal(t, []string{things}, requests[len(requests)-1].Tables, step.operation)
	}
	rule := db.Fail(ddbtest.OnTable(things), ddbtest.Reset)
	_, err = client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("secret")})
	require.Error(t, err)
	require.Zero(t, rule.Hits())
	requests := db.Requests()
	require.NotContains(t, fmt.Sprint(requests[len(requests)-1]), "secret")
}

func TestRequestPrintsNoValues(t *testing.T) {
	t.Parallel()
	db := setup(t, ddbtest.Options{Record: true})
	_, err := db.Client().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("secret", 1)})
	require.NoError(t, err)
	r := db.Requests()[0]
	require.Contains(t, string(r.Body()), "secret", "the control: it is there")
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, r.String(), fmt.Sprintf(format, r), format)
		require.NotContains(t, fmt.Sprintf(format, []ddbtest.Request{r}), "0x73, 0x65, 0x63", "as bytes, which %s prints too", format)
	}
	require.NotContains(t, r.String(), "secret")
}
