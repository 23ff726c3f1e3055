package explore_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStories compares the stories of one run with every operation and of one run with every kind
// of fault with golden files. No line is longer than 110 characters.
func TestStories(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, s := range []struct {
		name     string
		faults   explore.Faults
		schedule string
		clients  func(*explore.World)
	}{
		{"operations", noFaults, "", func(w *explore.World) { w.Client("client", everyOperation) }},
		{"errors", noFaults, "", func(w *explore.World) { w.Client("client", errorReplies) }},
		{
			"faults",
			explore.Faults{
				explore.LostRequest: 1, explore.LostReply: 1, explore.LateRequest: 1, explore.Throttle: 1, explore.Conflict: 1,
				explore.ServerError: 1, explore.ServerErrorAfter: 1, explore.Pause: 1, explore.Crash: 1,
			},
			"+alice alice!LostRequest alice!LostReply alice alice!LateRequest alice!Throttle alice alice!Conflict +bob pause:1m0s " +
				"bob!ServerError bob!ServerErrorAfter ~alice.4" + strings.Repeat(" bob", 2) + " bob!Crash +bob-again" +
				strings.Repeat(" bob-again", 3),
			func(w *explore.World) {
				for _, name := range []string{"alice", "bob"} {
					w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
						w.Logf("%s begins", name)
						for n := range 3 {
							_ = add(ctx, c, "a", n)
						}
					})
				}
				w.Restart("bob", func(ctx context.Context, c *dynamodb.Client) {
					for n := range 3 {
						_ = add(ctx, c, "b", n)
					}
				})
			},
		},
	} {
		setup := collections(programItem("p", "a", 1))
		if s.name == "faults" {
			setup = table()
		}
		o := explore.Options{Setup: setup, Faults: s.faults, Replay: s.schedule}
		if s.schedule == "" {
			o.MaxRuns = 1
		} else {
			o.Pauses = []time.Duration{time.Minute}
		}
		r := explore.Search(o, func(w *explore.World) {
			s.clients(w)
			w.Finally(func(*ddbtest.DB) error { return errors.New("to print the story") })
		})
		require.NotNil(t, r.Failure, r.Lacks)
		texts = append(texts, "# "+s.name+"\n\n"+r.Failure.Story)
		for line := range strings.Lines(r.Failure.Story) {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 111, line)
		}
	}
	golden(t, "stories.txt", strings.Join(texts, "\n"))
}

// golden compares a text with a file, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o750))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path) //nolint:gosec // a path of this test's
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// everyOperation sends a request of each operation on items.
func everyOperation(ctx context.Context, c *dynamodb.Client) {
	name, a, b := aws.String("items"), item{"pk": str("p"), "sk": str("a")}, item{"pk": str("p"), "sk": str("b")}
	_, _ = c.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, ReturnValues: types.ReturnValueAllOld, Item: item{
		"pk": str("p"), "sk": str("b"), "n": num(1), "text": str("several \"words\""), "yes": &types.AttributeValueMemberBOOL{Value: true},
		"null": &types.AttributeValueMemberNULL{Value: true}, "bytes": &types.AttributeValueMemberB{Value: []byte("bytes")},
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{num(1), str("b")}},
		"map":  &types.AttributeValueMemberM{Value: item{"y": num(1), "x": num(2)}},
		"set":  &types.AttributeValueMemberSS{Value: []string{"a", "b"}}, "numbers": &types.AttributeValueMemberNS{Value: []string{"2", "1"}},
	}})
	_, _ = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: name, Key: a, UpdateExpression: aws.String("SET #n = #n + :n REMOVE gone"), ConditionExpression: aws.String("#n < :max"),
		ExpressionAttributeNames: map[string]string{"#n": "n"}, ExpressionAttributeValues: item{":n": num(2), ":max": num(9)},
		ReturnValues: types.ReturnValueAllNew,
	})
	_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: item{"pk": str("q"), "sk": str("z")}})
	_, _ = c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: a})
	_, _ = c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: item{"pk": str("q"), "sk": str("z")}, ConsistentRead: aws.Bool(true)})
	_, _ = c.Query(ctx, &dynamodb.QueryInput{
		TableName: name, KeyConditionExpression: aws.String("pk = :p AND begins_with(sk, :s)"), FilterExpression: aws.String("n < :max"),
		ExpressionAttributeValues: item{":p": str("p"), ":s": str("a"), ":max": num(9)}, ConsistentRead: aws.Bool(true),
	})
	_, _ = c.Scan(ctx, &dynamodb.ScanInput{TableName: name, Limit: aws.Int32(1), ProjectionExpression: aws.String("pk, sk")})
	_, _ = c.Scan(ctx, &dynamodb.ScanInput{TableName: name, ExclusiveStartKey: a, Select: types.SelectCount})
	_, _ = c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"items": {Keys: []item{a}}}})
	_, _ = c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"items": {
		{PutRequest: &types.PutRequest{Item: programItem("q", "a", 1)}}, {DeleteRequest: &types.DeleteRequest{Key: b}},
	}}})
	_, _ = c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: name, Key: a}}, {Get: &types.Get{TableName: name, Key: b}},
	}})
	_, _ = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{ConditionCheck: &types.ConditionCheck{TableName: name, Key: b, ConditionExpression: aws.String("attribute_not_exists(pk)")}},
		{Put: &types.Put{TableName: name, Item: programItem("q", "b", 1)}},
		{Delete: &types.Delete{TableName: name, Key: a}},
	}})
	legacyOperations(ctx, c, name, a)
	_, _ = c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name})
}

// legacyOperations sends requests with legacy parameters.
func legacyOperations(ctx context.Context, c *dynamodb.Client, name *string, key item) {
	_, _ = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: name, Key: key, ConditionalOperator: types.ConditionalOperatorOr,
		AttributeUpdates: map[string]types.AttributeValueUpdate{
			"n": {Action: types.AttributeActionAdd, Value: num(1)}, "text": {Value: str("b")}, "gone": {Action: types.AttributeActionDelete},
		},
		Expected: map[string]types.ExpectedAttributeValue{
			"a": {Exists: aws.Bool(false)}, "b": {Value: num(1)},
			"c": {ComparisonOperator: types.ComparisonOperatorBetween, AttributeValueList: []types.AttributeValue{num(1), num(2)}},
		},
	})
	_, _ = c.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key, AttributesToGet: []string{"n", "text"}})
	_, _ = c.Query(ctx, &dynamodb.QueryInput{TableName: name, KeyConditions: map[string]types.Condition{
		"pk": {ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []types.AttributeValue{str("p")}},
		"sk": {ComparisonOperator: types.ComparisonOperatorBeginsWith, AttributeValueList: []types.AttributeValue{str("a")}},
	}, QueryFilter: map[string]types.Condition{"n": {ComparisonOperator: types.ComparisonOperatorNotNull}}})
	_, _ = c.Scan(ctx, &dynamodb.ScanInput{TableName: name, ScanFilter: map[string]types.Condition{
		"n": {ComparisonOperator: types.ComparisonOperatorGt, AttributeValueList: []types.AttributeValue{num(5)}},
	}})
}

// errorReplies sends requests that fail.
func errorReplies(ctx context.Context, c *dynamodb.Client) {
	name, a := aws.String("items"), item{"pk": str("p"), "sk": str("a")}
	missing := aws.String("attribute_not_exists(pk)")
	_, _ = c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: name, Item: a, ConditionExpression: missing, ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	_, _ = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: name, Item: a, ConditionExpression: missing}},
		{Put: &types.Put{TableName: name, Item: programItem("q", "b", 1)}},
	}})
	_, _ = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: name, Key: a, UpdateExpression: aws.String("SET name = :n"), ExpressionAttributeValues: item{":n": num(1)},
	})
	_, _ = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("other"), Key: a})
	_ = put(ctx, c, programItem("q", "c", 1))
}
