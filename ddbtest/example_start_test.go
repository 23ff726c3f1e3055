package ddbtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// printingT is a TB that prints failures without file and line. A test uses its *testing.T instead.
type printingT struct {
	failed bool
	ends   []func()
}

var line = regexp.MustCompile(`\w+\.go:\d+: `)

func (t *printingT) Helper()                           {}
func (t *printingT) Name() string                      { return "TestVisits" }
func (t *printingT) Failed() bool                      { return t.failed }
func (t *printingT) Cleanup(f func())                  { t.ends = append(t.ends, f) }
func (t *printingT) Errorf(format string, args ...any) { t.failed = true; t.Logf(format, args...) }
func (t *printingT) Fatalf(format string, args ...any) { t.Errorf(format, args...) }
func (t *printingT) Logf(format string, args ...any) {
	fmt.Println(line.ReplaceAllString(fmt.Sprintf(format, args...), ""))
}

func (t *printingT) end() {
	for _, f := range slices.Backward(t.ends) {
		f()
	}
}

// startVisits starts a database with a table that has one item, "home".
func startVisits(t ddbtest.TB) *ddbtest.DB {
	db := ddbtest.Start(t)
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName: aws.String("visits"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("page"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("page"), KeyType: types.KeyTypeHash},
		},
	})
	db.Load(t, "visits", map[string]types.AttributeValue{"page": &types.AttributeValueMemberS{Value: "home"}})
	return db
}

// countPages is the service under test.
func countPages(client *dynamodb.Client) (int, error) {
	out, err := client.Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("visits")})
	if err != nil {
		return 0, err
	}
	return len(out.Items), nil
}

// Start makes a fresh database that is closed with the test. The log of a failed test lists the
// requests of the service.
func ExampleStart() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	n, err := countPages(db.Client())
	if n != 2 || err != nil {
		t.Errorf("got %d pages, want 2: %v", n, err)
	}
	// Output:
	// got 1 pages, want 2: <nil>
	// ddbtest: the last requests:
	// 	#1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
}

// A budget limits the requests and the capacity units of a test. The first request that exceeds it
// fails the test.
func ExampleDB_Budget() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	db.Budget(t, ddbtest.Requests.AtMost(0, "Scan"), ddbtest.Requests.AtMost(2))
	fmt.Println(countPages(db.Client()))
	// Output:
	// ddbtest: the budget allows no requests of Scan: #1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
	// 1 <nil>
	// ddbtest: total: 1 request of Scan; the budget allows no requests of Scan
	// ddbtest: the last requests:
	// 	#1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
}

// Budgets and cost treat a statement of PartiQL as the operation as which it runs. The WHERE of the
// second statement does not restrict the partition key, so it reads the whole table.
func ExampleDB_Budget_partiql() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	db.Budget(t, ddbtest.Requests.AtMost(0, "Scan"), ddbtest.ReadUnits.AtMost(5))
	client := db.Client()
	cost := db.Measure(func() {
		for _, statement := range []string{
			`SELECT * FROM visits WHERE page = 'home'`,
			`SELECT * FROM visits WHERE begins_with(page, 'h')`,
			`INSERT INTO visits VALUE {'page': 'news'}`,
		} {
			_, err := client.ExecuteStatement(context.Background(), &dynamodb.ExecuteStatementInput{Statement: aws.String(statement)})
			if err != nil {
				t.Errorf("%v", err)
			}
		}
	})
	fmt.Print(cost)
	// Output:
	// ddbtest: the budget allows no requests of Scan: #2 ExecuteStatement as Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
	// 3 requests, 1 read unit, 1 write unit
	//   ExecuteStatement     3
	//   visits               1 read, 1 written
	//   2 pages: 2 items of 2, 1 filtered
	// ddbtest: total: 1 request of Scan; the budget allows no requests of Scan
	// ddbtest: the last requests:
	// 	#1 ExecuteStatement as Query visits: ok, 0.5 read, 0 written, 1 of 1 items
	// 	#2 ExecuteStatement as Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
	// 	#3 ExecuteStatement as PutItem visits: ok, 0 read, 1 written
}

// A rule that never acts tests nothing, so MustHit fails the test. Here the table's name is wrong.
func ExampleRule_MustHit() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	db.Fail(ddbtest.OnTable("visit"), ddbtest.Nth(1), ddbtest.Reset).MustHit(t)
	fmt.Println(countPages(db.Client()))
	// Output:
	// 1 <nil>
	// ddbtest: the rule never acted: Fail(OnTable("visit"), Nth(1), Reset): unknown table "visit": did you mean "visits"?
	// ddbtest: the last requests:
	// 	#1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
}

// Each case of a test starts with the same items. A fork takes constant time and does not
// depend on the number of items.
func ExampleDB_ForkFor() {
	t := new(printingT) // a subtest has its own *testing.T
	defer t.end()

	db := startVisits(t)
	fork := db.ForkFor(t)
	fork.Load(t, "visits", map[string]types.AttributeValue{"page": &types.AttributeValueMemberS{Value: "about"}})
	fmt.Println(countPages(fork.Client()))
	fmt.Println(countPages(db.Client()))
	// Output:
	// 2 <nil>
	// 1 <nil>
}

// The log of a failed test describes the requests that came nearest to a rule that never acted.
func ExampleDB_Fail_neverActed() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	db.Fail(ddbtest.Op("Query"), ddbtest.OnTable("visits"), ddbtest.Throttle()).MustHit(t)
	fmt.Println(countPages(db.Client()))
	// Output:
	// 1 <nil>
	// ddbtest: the rule never acted: Fail(Op("Query"), OnTable("visits"), Throttle()): no request matched its conditions; the nearest: 1 Scan on table "visits", but the rule wants Op("Query")
	// ddbtest: the last requests:
	// 	#1 Scan visits: ok, 0.5 read, 0 written, 1 of 1 items
}

// Items print as plain JSON, as DynamoDB JSON, and as Go values.
func ExampleItems() {
	t := new(printingT)
	defer t.end()

	db := startVisits(t)
	items := ddbtest.Items(db.Dump("visits"))
	fmt.Print(items.JSON())
	fmt.Print(items.DynamoDBJSON())
	var visits []struct {
		Page string `dynamodbav:"page"`
	}
	err := items.Decode(&visits)
	fmt.Println(visits, err)
	// Output:
	// [
	//   {
	//     "page": "home"
	//   }
	// ]
	// {"Item":{"page":{"S":"home"}}}
	// [{home}] <nil>
}

// A function that AWS Lambda invokes for the changes of a table is tested with the records of the
// table. With aws-lambda-go, event is an events.DynamoDBEvent.
func ExampleRecords_LambdaEvent() {
	t := new(printingT)
	defer t.end()

	db := ddbtest.Start(t)
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String("visits"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("page"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("page"), KeyType: "HASH"}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: "NEW_IMAGE"},
	})
	db.Load(t, "visits", map[string]types.AttributeValue{"page": &types.AttributeValueMemberS{Value: "home"}})

	var event struct {
		Records []struct {
			EventName string                                          `json:"eventName"`
			Change    struct{ NewImage map[string]map[string]string } `json:"dynamodb"`
		}
	}
	err := json.Unmarshal(db.Records("visits").LambdaEvent(), &event)
	fmt.Println(event.Records, err)
	fmt.Print(db.Records("visits").JSON())
	// Output:
	// [{INSERT {map[page:map[S:home]]}}] <nil>
	// [
	//   {
	//     "event": "INSERT",
	//     "keys": {"page":"home"},
	//     "new": {"page":"home"}
	//   }
	// ]
}

// The tables of a test come from the template that the service is deployed with, and its items from
// a scan by the AWS CLI.
func ExampleDB_LoadFile() {
	t := new(printingT)
	defer t.end()

	db := ddbtest.Start(t)
	tables := db.CreateTables(t, "testdata/template.json")
	db.LoadFile(t, tables[0], "testdata/orders.json")
	db.LoadValues(t, tables[0], struct {
		ID    string  `dynamodbav:"id"`
		Total float64 `dynamodbav:"total"`
	}{"o3", 9.5})
	fmt.Println(tables)
	fmt.Print(ddbtest.Items(db.Dump(tables[0])).DynamoDBJSON())
	// Output:
	// [orders-test]
	// {"Item":{"id":{"S":"o1"},"total":{"N":"12.5"}}}
	// {"Item":{"id":{"S":"o2"},"total":{"N":"7"}}}
	// {"Item":{"id":{"S":"o3"},"total":{"N":"9.5"}}}
}

// A template and the items of its table are loaded together. The content of a file tells which is
// which, and their order does not matter.
func ExampleDB_LoadFS() {
	t := new(printingT)
	defer t.end()

	db := ddbtest.Start(t)
	tables, items := db.LoadFS(t, os.DirFS("testdata"), "orders.json", "template.json")
	fmt.Println(tables, items)
	fmt.Print(ddbtest.Items(db.Dump("orders-test")).DynamoDBJSON())
	// Output:
	// [orders-test] 2
	// {"Item":{"id":{"S":"o1"},"total":{"N":"12.5"}}}
	// {"Item":{"id":{"S":"o2"},"total":{"N":"7"}}}
}
