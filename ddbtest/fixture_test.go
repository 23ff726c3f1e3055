package ddbtest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

type (
	attributes  = map[string]types.AttributeValue
	updateInput = dynamodb.UpdateItemInput
)

const things = "things"

// secret is a value that must not be in any text.
var secret = text("secret")

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares a text with a file, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path) //nolint:gosec // a path of this test's
	require.NoError(t, err)
	require.Equal(t, string(want), got)
	require.NotContains(t, got, "secret")
}

// setup starts a database with the table of things. Their key is pk and sk, and those with a color
// are in the index byColor.
func setup(t *testing.T, options ...ddbtest.Options) *ddbtest.DB {
	t.Helper()
	db := ddbtest.Start(t, options...)
	db.CreateTable(t, thingsTable())
	return db
}

func thingsTable() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: aws.String(things),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeN},
			{AttributeName: aws.String("color"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("byColor"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("color"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	}
}

// createThings creates another table of things, for which rules can be.
func createThings(t ddbtest.TB, db *ddbtest.DB, name string) {
	t.Helper()
	in := thingsTable()
	in.TableName = aws.String(name)
	db.CreateTable(t, in)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

// thing returns the key of a thing, together with more attributes.
func thing(pk string, sk int, more ...attributes) attributes {
	item := attributes{"pk": text(pk), "sk": number(sk)}
	for _, m := range more {
		for name, v := range m {
			item[name] = v
		}
	}
	return item
}

// Reads and writes of the thing a, 1. The value of n distinguishes one write from a repeated write.

func get(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(things), Key: thing("a", 1), ConsistentRead: aws.Bool(true)})
	return err
}

func query(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.Query(ctx, queryInput("a"))
	return err
}

func queryInput(pk string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: aws.String(things), KeyConditionExpression: aws.String("pk = :pk"),
		ExpressionAttributeValues: attributes{":pk": text(pk)},
	}
}

func put(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("a", 1, attributes{"n": number(1)})})
	return err
}

func increment(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.UpdateItem(ctx, &updateInput{
		TableName: aws.String(things), Key: thing("a", 1), UpdateExpression: aws.String("ADD n :one"),
		ExpressionAttributeValues: attributes{":one": number(1)},
	})
	return err
}

func batchGet(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		things: {Keys: []attributes{thing("a", 1), thing("a", 2), thing("b", 1)}},
	}})
	return err
}

func batchWrite(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
		{PutRequest: &types.PutRequest{Item: thing("a", 1, attributes{"n": number(1)})}},
		{PutRequest: &types.PutRequest{Item: thing("a", 2)}},
		{PutRequest: &types.PutRequest{Item: thing("b", 1)}},
	}}})
	return err
}

func transactGet(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String(things), Key: thing("a", 1)}},
		{Get: &types.Get{TableName: aws.String(things), Key: thing("b", 1)}},
	}})
	return err
}

// transactWrite increments n once, even if the SDK sends it several times, because the SDK adds a
// token.
func transactWrite(ctx context.Context, c *dynamodb.Client) error {
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{
			TableName: aws.String(things), Key: thing("a", 1), UpdateExpression: aws.String("ADD n :one"),
			ExpressionAttributeValues: attributes{":one": number(1)},
		}},
		{Put: &types.Put{TableName: aws.String(things), Item: thing("b", 1)}},
	}})
	return err
}

// n returns the attribute n of the thing a, 1, or 0 if there is no such thing.
func n(t *testing.T, db *ddbtest.DB) int {
	t.Helper()
	for _, item := range db.Dump(things) {
		if item["pk"].(*types.AttributeValueMemberS).Value == "a" && item["sk"].(*types.AttributeValueMemberN).Value == "1" {
			count, err := strconv.Atoi(item["n"].(*types.AttributeValueMemberN).Value)
			require.NoError(t, err)
			return count
		}
	}
	return 0
}

// once is a client option for a single attempt.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// resultOf returns what the client observed.
func resultOf(err error) string {
	var api smithy.APIError
	var wrong *smithy.DeserializationError
	switch {
	case err == nil:
		return "success"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "gone"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut"
	case errors.As(err, &api):
		return api.ErrorCode()
	case errors.As(err, &wrong):
		return "not decoded"
	default:
		return err.Error()
	}
}

// reasons returns the reason codes of a canceled transaction.
func reasons(t *testing.T, err error) []string {
	t.Helper()
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	var codes []string
	for _, r := range canceled.CancellationReasons {
		codes = append(codes, aws.ToString(r.Code))
	}
	return codes
}

// fakeTest is a TB that may fail.
type fakeTest struct {
	mu       sync.Mutex
	failures []string
	logs     []string
	cleanups []func()
}

func (f *fakeTest) Helper()      {}
func (f *fakeTest) Name() string { return "fake" }

func (f *fakeTest) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.failures) > 0
}

func (f *fakeTest) Cleanup(cleanup func()) { f.cleanups = append(f.cleanups, cleanup) }

func (f *fakeTest) Logf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

func (f *fakeTest) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

// Fatalf does not end the test, so callers must return after it.
func (f *fakeTest) Fatalf(format string, args ...any) { f.Errorf(format, args...) }

// end runs the cleanups.
func (f *fakeTest) end() {
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
}

// recovery returns the setting of point-in-time recovery.
func recovery(enabled bool) *types.PointInTimeRecoverySpecification {
	return &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(enabled)}
}

func ttlOf(attribute string) *types.TimeToLiveSpecification {
	return &types.TimeToLiveSpecification{AttributeName: aws.String(attribute), Enabled: aws.Bool(true)}
}
