package ddbtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// A test would write db := ddbtest.Start(t), and have the database end with it.
func Example() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	client := db.Client()

	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("users"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	fmt.Println(err)
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("users"),
		Item:      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "ada"}},
	})
	fmt.Println(err)
	fmt.Println(len(db.Dump("users")))
	// Output:
	// <nil>
	// <nil>
	// 1
}

// An increment whose reply is lost is applied, and the SDK sends it again: the client sees one success, the item two increments.
func Example_faultAfterCommit() {
	db, client := newCounter()
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Reset))

	fmt.Println(addOne(client))
	fmt.Println(counter(db))
	for _, r := range db.Requests()[1:] {
		fmt.Println(r)
	}
	// Output:
	// <nil>
	// 2
	// #2 UpdateItem counters: no reply, 0 read, 1 written, AfterCommit(Reset)
	// #3 UpdateItem counters attempt 2: ok, 0 read, 1 written
}

// The first attempt of a request is held up on its way, and arrives when its retry was served and somebody else has written to the item.
func Example_lateDuplicate() {
	db, client := newCounter()
	db.Fail(ddbtest.First(1), ddbtest.LateDuplicateAfterWrite)

	fmt.Println(addOne(client), counter(db))
	fmt.Println(reset(client), counter(db))
	// Output:
	// <nil> 1
	// <nil> 1
}

// Throttling has the service's names and reasons.
func Example_throttle() {
	db, client := newCounter()
	db.Fail(ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))

	err := addOne(client)
	var throttled *types.ProvisionedThroughputExceededException
	fmt.Println(errors.As(err, &throttled), *throttled.ThrottlingReasons[0].Reason)
	fmt.Println(db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// true TableWriteKeyRangeThroughputExceeded
	// 3 attempts
}

// A week goes by at once.
func Example_clock() {
	db, client := newCounter()
	_, err := client.UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("counters"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	})
	fmt.Println(err)
	_, err = client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("counters"), Item: map[string]types.AttributeValue{
		"id":      &types.AttributeValueMemberS{Value: "visits"},
		"expires": &types.AttributeValueMemberN{Value: fmt.Sprint(db.Clock().Now().Add(7 * 24 * time.Hour).Unix())},
	}})
	fmt.Println(err)
	db.Clock().Advance(6 * 24 * time.Hour)
	fmt.Println(len(db.Dump("counters")))
	db.Clock().Advance(2 * 24 * time.Hour)
	fmt.Println(len(db.Dump("counters")))
	// Output:
	// <nil>
	// <nil>
	// 1
	// 0
}

// An eventually consistent read does not see what was written just now.
func Example_lag() {
	db, client := newCounter()
	db.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled})
	fmt.Println(addOne(client))
	read := func(consistent bool) int {
		out, err := client.GetItem(context.Background(), &dynamodb.GetItemInput{
			TableName: aws.String("counters"), Key: counterKey, ConsistentRead: aws.Bool(consistent),
		})
		if err != nil {
			return -1
		}
		return len(out.Item)
	}
	fmt.Println(read(true), read(false))
	db.Settle()
	fmt.Println(read(true), read(false))
	// Output:
	// <nil>
	// 2 0
	// 2 2
}

// What some code costs. A test that must not exceed it says db.Budget(t, ddbtest.NoScan(), ddbtest.MaxRequests(2)).
func Example_cost() {
	db, client := newCounter()
	cost := ddbtest.Measure(db, func() {
		_ = addOne(client)
		_, _ = client.Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("counters")})
	})
	fmt.Print(cost)
	// Output:
	// 2 requests, 0.5 read units, 1 write units
	//   Scan                 1
	//   UpdateItem           1
	//   counters             0.5 read, 1 written
	//   1 pages: 1 items of 1, 0 filtered
}

// Every case of a test begins with the same items, however many there are.
func Example_fork() {
	db, client := newCounter()
	fmt.Println(addOne(client))
	fork := db.Fork()
	fmt.Println(addOne(fork.Client()), addOne(fork.Client()))
	fmt.Println(counter(db), counter(fork))
	// Output:
	// <nil>
	// <nil> <nil>
	// 1 3
}

// What happened can be repeated from a file, request by request.
func Example_replay() {
	db := ddbtest.New(ddbtest.Options{Record: true})
	client := db.Client()
	createCounters(client)
	fmt.Println(addOne(client))

	var file bytes.Buffer
	fmt.Println(db.WriteLog(&file))
	again, err := ddbtest.Replay(&file)
	fmt.Println(counter(again), err)
	// Output:
	// <nil>
	// <nil>
	// 1 <nil>
}

// The examples count in one item.

var counterKey = map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "visits"}}

func newCounter() (*ddbtest.DB, *dynamodb.Client) {
	db := ddbtest.New(ddbtest.Options{})
	client := db.Client()
	createCounters(client)
	return db, client
}

func createCounters(client *dynamodb.Client) {
	_, err := client.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:            aws.String("counters"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		fmt.Println(err)
	}
}

func addOne(client *dynamodb.Client) error {
	_, err := client.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName: aws.String("counters"), Key: counterKey, UpdateExpression: aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
	})
	return err
}

func reset(client *dynamodb.Client) error {
	_, err := client.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName: aws.String("counters"), Key: counterKey, UpdateExpression: aws.String("SET n = :zero"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":zero": &types.AttributeValueMemberN{Value: "0"}},
	})
	return err
}

func counter(db *ddbtest.DB) string {
	for _, item := range db.Dump("counters") {
		if n, ok := item["n"].(*types.AttributeValueMemberN); ok {
			return n.Value
		}
	}
	return "none"
}
