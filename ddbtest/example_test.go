package ddbtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// A fresh database with a table and an item, and a client for the service under test.
func Example() {
	t := newT() // a test has its *testing.T
	defer t.end()

	db := ddbtest.Start(t)
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String("users"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	db.Load(t, "users", map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "ada"}})

	client := db.Client()
	_, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{
		TableName: aws.String("users"),
		Item:      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "grace"}},
	})
	fmt.Println(err)
	fmt.Println(len(db.Dump("users")), "items")
	for _, r := range db.Requests() {
		fmt.Println(r)
	}
	// Output:
	// <nil>
	// 2 items
	// #1 PutItem users: ok, 0 read, 1 written
}

// A service that makes its client of a configuration is given the configuration's client.
func ExampleDB_Configure() {
	db := ddbtest.New(ddbtest.Options{})
	client := dynamodb.NewFromConfig(aws.Config{Region: "eu-west-1"}, db.Configure)
	out, err := client.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	fmt.Println(out.TableNames, err)
	// Output:
	// [] <nil>
}

// A service's own retries are tested with its own Retryer.
func ExampleDB_Client_retries() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	client := db.Client(func(o *dynamodb.Options) {
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 5
			o.MaxBackoff = time.Millisecond // in a bubble of testing/synctest it may be as long as it is at the service
		})
	})
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(4), ddbtest.Unavailable)
	fmt.Println(addOne(client), counter(db))
	fmt.Println(db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// <nil> 1
	// 5 attempts
}

// An increment whose reply is lost is applied, and the SDK sends it again: the client sees one success, the item two increments.
func ExampleDB_Fail() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)

	fmt.Println(addOne(db.Client()))
	fmt.Println(counter(db))
	for _, r := range db.Requests() {
		fmt.Println(r)
	}
	// Output:
	// <nil>
	// 2
	// #1 UpdateItem counters: no reply, 0 read, 1 written, AfterCommit(Reset)
	// #2 UpdateItem counters attempt 2: ok, 0 read, 1 written
}

// The first attempt of a request is held up on its way, and arrives when its retry was served and somebody else has written to the item.
func ExampleDB_Fail_lateDuplicate() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)
	client := db.Client()
	db.Fail(ddbtest.First(1), ddbtest.LateDuplicateAfterWrite)

	fmt.Println(addOne(client), counter(db))
	fmt.Println(setZero(client), counter(db))
	// Output:
	// <nil> 1
	// <nil> 1
}

// A rule that cannot work fails the test with all that is wrong with it.
func ExampleDB_Fail_mistakes() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	db.Fail(ddbtest.Op("GetItem", "BatchGet"), ddbtest.OnTable(""), ddbtest.Unprocessed(1))
	// Output:
	// this rule cannot work:
	// Fail(Op("GetItem", "BatchGet"), OnTable(""), Unprocessed(1))
	// OnTable(""): it names no table: leave it out to mean all
	// Unprocessed(1) is for BatchGetItem and BatchWriteItem, not for GetItem
	// there is no operation "BatchGet": is it "BatchGetItem"?
}

// A rule that never acts tests nothing: here because of a misspelled name.
func ExampleRule_MustHit() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	db.Fail(ddbtest.OnTable("counter"), ddbtest.Nth(1), ddbtest.Reset).MustHit(t)
	fmt.Println(addOne(db.Client()))
	// Output:
	// <nil>
	// this rule never acted: Fail(OnTable("counter"), Nth(1), Reset): there is no table "counter": is it "counters"?
}

// Throttling has the service's names and reasons.
func ExampleThrottle() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))

	err := addOne(db.Client())
	var throttled *types.ThrottlingException
	if errors.As(err, &throttled) {
		fmt.Println(*throttled.ThrottlingReasons[0].Reason)
	}
	fmt.Println(db.Cost().Total("UpdateItem"), "attempts")
	// Output:
	// TableWriteKeyRangeThroughputExceeded
	// 3 attempts
}

// A week goes by at once.
func ExampleClock_Advance() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)
	_, err := db.Client().UpdateTimeToLive(context.Background(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("counters"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	})
	fmt.Println(err)
	db.Load(t, "counters", map[string]types.AttributeValue{
		"id":      &types.AttributeValueMemberS{Value: "visits"},
		"expires": &types.AttributeValueMemberN{Value: fmt.Sprint(db.Clock().Now().Add(7 * 24 * time.Hour).Unix())},
	})
	db.Clock().Advance(6 * 24 * time.Hour)
	fmt.Println(len(db.Dump("counters")))
	db.Clock().Advance(2 * 24 * time.Hour)
	fmt.Println(len(db.Dump("counters")))
	// Output:
	// <nil>
	// 1
	// 0
}

// An eventually consistent read does not see what was written just now.
func ExampleDB_SetLag() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)
	client := db.Client()
	read := func(consistent bool) int {
		out, err := client.GetItem(context.Background(), &dynamodb.GetItemInput{
			TableName: aws.String("counters"), Key: counterKey, ConsistentRead: aws.Bool(consistent),
		})
		if err != nil {
			return -1
		}
		return len(out.Item)
	}

	db.SetLag(ddbtest.Lag{Items: ddbtest.UntilSettled})
	fmt.Println(addOne(client))
	fmt.Println(read(true), read(false))
	db.Settle()
	fmt.Println(read(true), read(false))
	// Output:
	// <nil>
	// 2 0
	// 2 2
}

// What a test may use: the first request that is too much fails it.
func ExampleDB_Budget() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	db.Budget(t, ddbtest.NoScan(), ddbtest.MaxRequests(2))
	fmt.Println(addOne(db.Client()))
	_, err := db.Client().Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("counters")})
	fmt.Println(err)
	// Output:
	// <nil>
	// the budget allows no Scan: #2 Scan counters: ok, 0.5 read, 0 written, 1 of 1 items
	// <nil>
	// in the end 1 Scan; the budget allows no Scan
}

// What some code costs.
func ExampleMeasure() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t)

	cost := ddbtest.Measure(db, func() {
		_ = addOne(db.Client())
		_, _ = db.Client().Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("counters")})
	})
	fmt.Println(cost.WriteUnits, "written,", cost.Total("Scan"), "scan")
	fmt.Print(cost)
	// Output:
	// 1 written, 1 scan
	// 2 requests, 0.5 read units, 1 write unit
	//   Scan                 1
	//   UpdateItem           1
	//   counters             0.5 read, 1 written
	//   1 page: 1 item of 1, 0 filtered
}

// Every case of a test begins with the same items, however many there are.
func ExampleDB_ForkFor() {
	t := newT() // a subtest has its own *testing.T
	defer t.end()
	db := startCounters(t)
	fmt.Println(addOne(db.Client()))

	fork := db.ForkFor(t)
	fmt.Println(addOne(fork.Client()), addOne(fork.Client()))
	fmt.Println(counter(db), counter(fork))
	// Output:
	// <nil>
	// <nil> <nil>
	// 1 3
}

// What happened can be repeated from a file, request by request.
func ExampleReplay() {
	t := newT() // a test has its *testing.T
	defer t.end()
	db := startCounters(t, ddbtest.Options{Record: true})
	fmt.Println(addOne(db.Client()))

	var file bytes.Buffer
	fmt.Println(db.WriteLog(&file))
	again, err := ddbtest.Replay(&file)
	fmt.Println(counter(again), err)
	// Output:
	// <nil>
	// <nil>
	// 1 <nil>
}
