package ddbtest_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// exampleT is the test of an example: it prints how it fails.
type exampleT struct {
	failed   bool
	cleanups []func()
}

func newT() *exampleT { return new(exampleT) }

func (t *exampleT) Helper()          {}
func (t *exampleT) Name() string     { return "Example" }
func (t *exampleT) Failed() bool     { return t.failed }
func (t *exampleT) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// Logf prints what is about a budget: the rest of a failed test's log is longer than an example should be.
func (t *exampleT) Logf(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); strings.Contains(text, "in the end") {
		t.print(text)
	}
}

func (t *exampleT) Errorf(format string, args ...any) {
	t.failed = true
	t.print(fmt.Sprintf(format, args...))
}

func (t *exampleT) Fatalf(format string, args ...any) { t.Errorf(format, args...) }

// print prints a message without the place that it begins with, which is "ddbtest: example_test.go:1: ".
func (t *exampleT) print(text string) {
	_, text, _ = strings.Cut(text, "_test.go:")
	_, text, _ = strings.Cut(text, ": ")
	_, _ = fmt.Fprintln(os.Stdout, text)
}

func (t *exampleT) end() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

// The examples count in one item of a table.

var counterKey = map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "visits"}}

func startCounters(t ddbtest.TB, options ...ddbtest.Options) *ddbtest.DB {
	t.Helper()
	db := ddbtest.Start(t, options...)
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String("counters"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
	})
	return db
}

func addOne(client *dynamodb.Client) error { return change(client, "ADD n :n", "1") }

func setZero(client *dynamodb.Client) error { return change(client, "SET n = :n", "0") }

func change(client *dynamodb.Client, expression, n string) error {
	_, err := client.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName: aws.String("counters"), Key: counterKey, UpdateExpression: aws.String(expression),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: n}},
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
