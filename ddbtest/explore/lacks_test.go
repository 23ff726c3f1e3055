package explore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

func addOne(ctx context.Context, c *dynamodb.Client) { _ = add(ctx, c, "a", 1) }

// TestLacks checks that a search that proves nothing says so.
func TestLacks(t *testing.T) {
	t.Parallel()
	readOnly := func(ctx context.Context, c *dynamodb.Client) { _, _ = get(ctx, c, "a") }
	for name, c := range map[string]struct {
		faults explore.Faults
		f      func(*explore.World)
		lacks  int
	}{
		"a proof": {nil, func(w *explore.World) { w.Client("a", addOne); w.Finally(holds) }, 0},
		"every write is refused for a reserved word": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = get(ctx, c, "a")
				_, _ = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
					TableName: aws.String("items"), Key: key("a"), UpdateExpression: aws.String("SET name = :n"),
					ExpressionAttributeValues: item{":n": num(1)},
				})
			})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"every condition fails": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: aws.String("items"), Item: key("x"), ConditionExpression: aws.String("attribute_exists(id)"),
				})
			})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"every transaction is invalid": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_ = put(ctx, c, item{"id": str("a"), "n": str("text")})
				_, _ = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Update: &types.Update{
					TableName: aws.String("items"), Key: key("a"), UpdateExpression: aws.String("ADD n :n"), ExpressionAttributeValues: item{":n": num(1)},
				}}}})
			})
			w.Finally(holds)
		}, 1},
		"no write succeeds": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = get(ctx, c, "a")
				_, _ = c.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: aws.String("items"), Item: key("x"), ConditionExpression: aws.String("attribute_exists(id)"),
				})
			})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"a write that changes nothing": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("items"), Key: key("x")})
			})
			w.Finally(holds)
		}, 1},
		"every statement of a batch is refused": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.BatchExecuteStatement(ctx, &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
					{Statement: aws.String("INSERT INTO nowhere VALUE {'id': 'a'}")},
				}})
			})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"a statement of a batch whose item exists": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				for range 2 {
					_, _ = c.BatchExecuteStatement(ctx, &dynamodb.BatchExecuteStatementInput{Statements: []types.BatchStatementRequest{
						{Statement: aws.String("INSERT INTO items VALUE {'id': 'a'}")},
					}})
				}
			})
			w.Finally(holds)
		}, 0},
		"only a statement that reads succeeds": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: aws.String(reading)})
				_, _ = c.PutItem(ctx, &dynamodb.PutItemInput{
					TableName: aws.String("items"), Item: key("x"), ConditionExpression: aws.String("attribute_exists(id)"),
				})
			})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"a table that exists": {nil, func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
				_, _ = c.CreateTable(ctx, &dynamodb.CreateTableInput{
					TableName: aws.String("items"), BillingMode: types.BillingModePayPerRequest,
					AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
					KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
				})
				addOne(ctx, c)
			})
			w.Finally(holds)
		}, 0},
		"a client without a request": {nil, func(w *explore.World) {
			w.Client("a", func(context.Context, *dynamodb.Client) {})
			w.Client("b", addOne)
			w.Finally(holds)
		}, 1},
		"nothing changes the database": {nil, func(w *explore.World) { w.Client("a", readOnly); w.Always(holds) }, 1},
		"a fault that never acts":      {explore.Faults{explore.Unprocessed: 1}, func(w *explore.World) { w.Client("a", addOne); w.Always(holds) }, 1},
		"a restart without a crash":    {noFaults, func(w *explore.World) { w.Client("a", addOne); w.Restart("a", addOne); w.Always(holds) }, 1},
		"no client":                    {nil, func(w *explore.World) { w.Always(holds) }, 1},
		"no invariant":                 {nil, func(w *explore.World) { w.Client("a", addOne) }, 1},
		"a name twice":                 {nil, func(w *explore.World) { w.Client("a", addOne); w.Client("a", addOne); w.Always(holds) }, 1},
		"an invariant that is nil":     {nil, func(w *explore.World) { w.Client("a", addOne); w.Always(nil); w.Finally(nil) }, 1},
		"a pause without a timer":      {explore.Faults{explore.Pause: 1}, func(w *explore.World) { w.Client("a", addOne); w.Always(holds) }, 1},
		"a long name":                  {nil, func(w *explore.World) { w.Client(strings.Repeat("a", 21), addOne); w.Always(holds) }, 1},
		"a name with a space":          {nil, func(w *explore.World) { w.Client("a b", addOne); w.Always(holds) }, 1},
		"a restart of nobody":          {nil, func(w *explore.World) { w.Client("a", addOne); w.Restart("b", addOne); w.Always(holds) }, 1},
		"a function that is nil":       {nil, func(w *explore.World) { w.Client("a", nil); w.Always(holds) }, 1},
		"rules":                        {nil, func(w *explore.World) { w.DB().Fail(ddbtest.Reset); w.Client("a", addOne); w.Always(holds) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := explore.Search(explore.Options{Setup: table(), Faults: c.faults}, c.f)
			require.Nil(t, r.Failure)
			require.Len(t, r.Lacks, c.lacks, r.Lacks)
		})
	}
}

// TestInvalidOptions checks that all mistakes of the options are reported, and that nothing runs.
func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]explore.Options{
		"unknown kind":     {Faults: explore.Faults{explore.Kind(100): 1}},
		"negative number":  {Faults: explore.Faults{explore.Crash: -1}},
		"negative faults":  {MaxFaults: -1},
		"too many faults":  {MaxFaults: 2},
		"rules in setup":   {Setup: func(db *ddbtest.DB) { db.Fail(ddbtest.Reset) }},
		"short pause":      {Faults: explore.Faults{explore.Pause: 1}, Pauses: []time.Duration{1}},
		"unused pauses":    {Pauses: []time.Duration{time.Second}},
		"negative backoff": {Backoff: -1},
		"negative runs":    {MaxRuns: -1},
		"negative steps":   {MaxSteps: -1},
		"negative shorten": {MaxShorten: -1},
		"lag":              {Database: ddbtest.Options{Lag: ddbtest.Lag{Items: time.Second}}},
		"partition limit":  {Database: ddbtest.Options{PartitionLimit: ddbtest.Units{Read: 1}}},
		"table delay":      {Database: ddbtest.Options{TableDelay: time.Second}},
		"invalid database": {Database: ddbtest.Options{Region: "no region"}},
		"setup panics":     {Setup: func(*ddbtest.DB) { panic("defect") }},
		"invalid replay":   {Setup: table(), Replay: "bob"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := explore.Search(o, func(w *explore.World) {
				w.Client("a", addOne)
				w.Client("b", addOne)
				w.Finally(holds)
			})
			require.Len(t, r.Lacks, 1)
			require.Nil(t, r.Failure)
		})
	}
}

// TestFailuresOfClients checks that assertions, panics and clients that hang are failures, wherever
// they are.
func TestFailuresOfClients(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(*explore.World){
		"an assertion in a client": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { require.Error(w, add(ctx, c, "a", 1)) })
		},
		"an assertion that goes on": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { w.Errorf("defect"); addOne(ctx, c) })
		},
		"an assertion of another test": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { addOne(ctx, c); new(testing.T).SkipNow() })
		},
		"a panic": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { addOne(ctx, c); panic("defect") })
		},
		"a declaration by a client": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { addOne(ctx, c); w.Always(holds) })
		},
		"a client that declares a client": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { addOne(ctx, c); w.Client("b", addOne) })
		},
		"an option that is nil": func(w *explore.World) { w.Client("a", addOne, nil) },
		"a client that waits for ever": func(w *explore.World) {
			w.Client("a", func(ctx context.Context, c *dynamodb.Client) { addOne(ctx, c); <-ctx.Done() })
		},
		"an assertion in Always": func(w *explore.World) {
			w.Client("a", addOne)
			w.Always(func(db *ddbtest.DB) error { require.Empty(w, db.Dump("items")); return nil })
		},
		"an error of Finally": func(w *explore.World) {
			w.Client("a", addOne)
			w.Finally(func(*ddbtest.DB) error { return errors.New("defect") })
		},
		"a panic in Finally": func(w *explore.World) {
			w.Client("a", addOne)
			w.Finally(func(*ddbtest.DB) error { panic("defect") })
		},
		"an assertion in the declaration": func(w *explore.World) {
			w.Client("a", addOne)
			w.Fatalf("defect")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := explore.Search(explore.Options{Setup: table(), Faults: noFaults}, func(w *explore.World) {
				f(w)
				w.Finally(holds)
			})
			require.NotNil(t, r.Failure)
			require.Empty(t, r.Lacks)
		})
	}
}

// TestLimits checks that a search that is cut off says so, and fails a test that asks for a proof.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]explore.Options{
		"runs":  {Setup: table(item{"id": str("a")}), MaxRuns: 5},
		"steps": {Setup: table(item{"id": str("a")}), MaxSteps: 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test := &recorder{TB: t}
			r := explore.Run(test, o, func(w *explore.World) {
				w.Client("a", readModifyWrite("a"))
				w.Client("b", readModifyWrite("a"))
				w.Finally(holds)
			})
			require.NotEmpty(t, r.CutOff)
			require.Zero(t, test.errors, test.text)
			r.Complete()
			require.Equal(t, 1, test.errors)
		})
	}
}

// TestOtherTestFails checks that a client that uses the test instead of the World ends the search.
func TestOtherTestFails(t *testing.T) {
	t.Parallel()
	test := &recorder{TB: t}
	r := explore.Run(test, explore.Options{Setup: table()}, func(w *explore.World) {
		w.Client("a", func(ctx context.Context, c *dynamodb.Client) {
			addOne(ctx, c)
			test.Errorf("defect")
		})
		w.Finally(holds)
	})
	require.NotNil(t, r.Failure)
	require.Equal(t, 1, r.Runs)
	require.Equal(t, 2, test.errors)
}

// TestRunFailsTheTest checks that a failure and a lack fail the test.
func TestRunFailsTheTest(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(*explore.World){
		"failure": func(w *explore.World) { w.Client("a", addOne); w.Finally(numberIs("a", 2)) },
		"lack":    func(w *explore.World) { w.Client("a", addOne) },
	} {
		test := &recorder{TB: t}
		explore.Run(test, explore.Options{Setup: table(), Faults: noFaults}, f).Complete()
		require.Equal(t, 1, test.errors, name)
	}
}

// recorder is a test that records its errors.
type recorder struct {
	testing.TB
	errors int
	text   string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors++
	r.text += fmt.Sprintf(format, args...) + "\n"
}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Failed() bool        { return r.errors > 0 }
