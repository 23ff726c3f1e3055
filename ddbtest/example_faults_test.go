package ddbtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/ddbtest"
)

// newCounters makes a database with a table of counters. A test uses Start and CreateTable instead.
func newCounters(o ddbtest.Options) *ddbtest.DB {
	db := ddbtest.New(o)
	_, err := db.Client().CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: aws.String("counters"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
		BillingMode: types.BillingModePayPerRequest,
	})
	if err != nil {
		log.Fatal(err)
	}
	return db
}

// updateVisits changes the counter of visits, as the service under test would.
func updateVisits(client *dynamodb.Client, expression, n string) error {
	_, err := client.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName:                 aws.String("counters"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "visits"}},
		UpdateExpression:          aws.String(expression),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: n}},
	})
	return err
}

// visits returns the stored counter.
func visits(db *ddbtest.DB) string {
	items := db.Dump("counters")
	if len(items) == 0 {
		return "none"
	}
	return items[0]["n"].(*types.AttributeValueMemberN).Value
}

// The reply of an increment is lost after the increment was applied, so the SDK sends it again. The
// caller gets one success, but the counter was incremented twice.
func ExampleDB_Fail() {
	db := newCounters(ddbtest.Options{})
	rule := db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset))

	fmt.Println(updateVisits(db.Client(), "ADD n :n", "1"), visits(db))
	fmt.Println(rule.Hits(), "fault,", db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// <nil> 2
	// 1 fault, 2 attempts
}

// The first attempt of a write is delayed. It is applied after its retry, and after another write
// to the same item.
func ExampleDB_Fail_lateDuplicate() {
	db := newCounters(ddbtest.Options{})
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(1), ddbtest.LateDuplicateAfterWrite)

	fmt.Println(updateVisits(db.Client(), "ADD n :n", "1"), visits(db))
	fmt.Println(updateVisits(db.Client(), "SET n = :n", "0"), visits(db))
	// Output:
	// <nil> 1
	// <nil> 1
}

// Err returns all mistakes in a rule. If Start made the database, an invalid rule fails the test.
func ExampleRule_Err() {
	db := newCounters(ddbtest.Options{})
	rule := db.Fail(ddbtest.Op("GetItem", "BatchGet"), ddbtest.OnTable(""), ddbtest.Unprocessed(1))
	fmt.Println(rule.Err())
	// Output:
	// OnTable(""): the name is empty: omit OnTable to match all tables
	// Unprocessed(1) is for BatchExecuteStatement, BatchGetItem and BatchWriteItem, not for GetItem
	// unknown operation "BatchGet": did you mean "BatchGetItem"?
}

// The output shows the error code of each fault and the stored counter. After AfterCommit and
// InvalidJSON the write was applied although the client got an error.
func ExampleFault() {
	for _, fault := range []ddbtest.Effect{
		ddbtest.Conflict,
		ddbtest.Unavailable,
		ddbtest.AfterCommit(ddbtest.Unavailable),
		ddbtest.InvalidJSON,
		ddbtest.Throttle("RequestLimitExceeded"),
	} {
		db := newCounters(ddbtest.Options{})
		db.Fail(ddbtest.Op("UpdateItem"), fault)
		err := updateVisits(db.Client(), "SET n = :n", "7")
		code := "no error code"
		var api smithy.APIError
		if errors.As(err, &api) {
			code = api.ErrorCode()
		}
		fmt.Printf("%v: %s, %s\n", fault, code, visits(db))
	}
	// Output:
	// Conflict: TransactionConflictException, none
	// Unavailable: ServiceUnavailable, none
	// AfterCommit(Unavailable): ServiceUnavailable, 7
	// InvalidJSON: no error code, 7
	// Throttle(RequestLimitExceeded): RequestLimitExceeded, none
}

// Throttle fails requests with the error and the throttling reason of the service.
func ExampleThrottle() {
	db := newCounters(ddbtest.Options{})
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))

	err := updateVisits(db.Client(), "ADD n :n", "1")
	var throttled *types.ThrottlingException
	if errors.As(err, &throttled) {
		fmt.Println(*throttled.ThrottlingReasons[0].Reason)
	}
	fmt.Println(db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// TableWriteKeyRangeThroughputExceeded
	// 3 attempts
}

// To test the retries of a service, use its own Retryer.
func ExampleDB_Client_retries() {
	db := newCounters(ddbtest.Options{})
	client := db.Client(func(o *dynamodb.Options) {
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 5
			// in a testing/synctest bubble, the pauses take no real time
			o.MaxBackoff = time.Millisecond
		})
	})
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(4), ddbtest.Unavailable)

	fmt.Println(updateVisits(client, "ADD n :n", "1"), visits(db))
	fmt.Println(db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// <nil> 1
	// 5 attempts
}

// Measure returns the requests and the capacity units of a function.
func ExampleDB_Measure() {
	db := newCounters(ddbtest.Options{})
	cost := db.Measure(func() {
		for range 3 {
			if err := updateVisits(db.Client(), "ADD n :n", "1"); err != nil {
				log.Fatal(err)
			}
		}
	})
	fmt.Println(cost.WriteUnits, "written")
	fmt.Print(cost)
	// Output:
	// 3 written
	// 3 requests, 0 read units, 3 write units
	//   UpdateItem           3
	//   counters             0 read, 3 written
}

// Replay repeats recorded requests one by one.
func ExampleReplay() {
	db := newCounters(ddbtest.Options{Record: true})
	fmt.Println(updateVisits(db.Client(), "ADD n :n", "1"), visits(db))

	var file bytes.Buffer
	fmt.Println(db.WriteRecording(&file))
	again, err := ddbtest.Replay(&file)
	fmt.Println(visits(again), err)
	// Output:
	// <nil> 1
	// <nil>
	// 1 <nil>
}

// A snapshot can be restored any number of times, into its own database or another one.
func ExampleDB_Restore() {
	db := newCounters(ddbtest.Options{})
	fmt.Println(updateVisits(db.Client(), "SET n = :n", "1"), visits(db))
	before := db.Snapshot()
	fmt.Println(updateVisits(db.Client(), "SET n = :n", "2"), visits(db))
	db.Restore(before)
	fmt.Println(visits(db))
	// Output:
	// <nil> 1
	// <nil> 2
	// 1
}
