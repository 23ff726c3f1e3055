package ddbtest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/trestledb/trestle/ddbtest"
)

// newSessions makes a database with a stream and a table of sessions that expire.
func newSessions() *ddbtest.DB {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	_, err := db.Client().CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("sessions"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
		BillingMode:         types.BillingModePayPerRequest,
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly},
	})
	_, ttl := db.Client().UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("sessions"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	})
	if err := errors.Join(err, ttl); err != nil {
		log.Fatal(err)
	}
	return db
}

// putSession stores a session that expires after a time.
func putSession(db *ddbtest.DB, id string, expires time.Duration) {
	at := db.Now().Add(expires).Unix()
	_, err := db.Client().PutItem(context.Background(), &dynamodb.PutItemInput{
		TableName: aws.String("sessions"),
		Item: map[string]types.AttributeValue{
			"id":      &types.AttributeValueMemberS{Value: id},
			"expires": &types.AttributeValueMemberN{Value: strconv.FormatInt(at, 10)},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}

// Advance moves the clock of the database. Items that expire until then are deleted.
func ExampleDB_Advance() {
	db := newSessions()
	putSession(db, "s1", 7*24*time.Hour)
	db.Advance(6 * 24 * time.Hour)
	fmt.Println(len(db.Dump("sessions")), "session")
	db.Advance(2 * 24 * time.Hour)
	fmt.Println(len(db.Dump("sessions")), "sessions")
	// Output:
	// 1 session
	// 0 sessions
}

// An eventually consistent read does not return the latest write.
func ExampleDB_SetLag() {
	db := newSessions()
	count := func(consistent bool) int32 {
		out, err := db.Client().Scan(context.Background(), &dynamodb.ScanInput{
			TableName: aws.String("sessions"), ConsistentRead: aws.Bool(consistent),
		})
		if err != nil {
			log.Fatal(err)
		}
		return out.Count
	}

	db.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled})
	putSession(db, "s1", time.Hour)
	fmt.Println(count(true), count(false))
	db.Settle()
	fmt.Println(count(true), count(false))
	// Output:
	// 1 0
	// 1 1
}

// A stream has a record of each write and of each expired item.
func ExampleDB_StreamsClient() {
	ctx := context.Background()
	db := newSessions()
	putSession(db, "s1", time.Hour)
	db.Advance(2 * time.Hour)

	client := db.StreamsClient()
	list, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String("sessions")})
	if err != nil {
		log.Fatal(err)
	}
	arn := list.Streams[0].StreamArn
	stream, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		log.Fatal(err)
	}
	start, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: stream.StreamDescription.Shards[0].ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		log.Fatal(err)
	}
	got, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: start.ShardIterator})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range got.Records {
		fmt.Println(r.EventName)
	}
	// Output:
	// INSERT
	// REMOVE
}
