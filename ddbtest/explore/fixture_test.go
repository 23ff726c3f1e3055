package explore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

type client = func(context.Context, *dynamodb.Client)

func key(id string) item { return item{"id": str(id)} }

// table creates the table "items" with the partition key id, and puts items.
func table(items ...item) func(*ddbtest.DB) {
	return func(db *ddbtest.DB) {
		create(db, &dynamodb.CreateTableInput{
			TableName: aws.String("items"), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
		}, items...)
	}
}

// collections creates the table "items" with a partition key pk and a sort key sk.
func collections(items ...item) func(*ddbtest.DB) {
	return func(db *ddbtest.DB) {
		create(db, &dynamodb.CreateTableInput{
			TableName: aws.String("items"), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
			},
		}, items...)
	}
}

func create(db *ddbtest.DB, in *dynamodb.CreateTableInput, items ...item) {
	c := db.Client()
	_, err := c.CreateTable(context.Background(), in)
	for _, i := range items {
		_, putErr := c.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: in.TableName, Item: i})
		err = errors.Join(err, putErr)
	}
	if err != nil {
		panic(err)
	}
}

func get(ctx context.Context, c *dynamodb.Client, id string) (item, error) {
	out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("items"), Key: key(id), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

func put(ctx context.Context, c *dynamodb.Client, i item) error {
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("items"), Item: i})
	return err
}

// add adds to the number n of an item, without a condition.
func add(ctx context.Context, c *dynamodb.Client, id string, n int) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("items"), Key: key(id), UpdateExpression: aws.String("ADD n :n"),
		ExpressionAttributeValues: item{":n": num(n)},
	})
	return err
}

// readModifyWrite adds 1 to the number n of an item: it reads it and writes it back.
func readModifyWrite(id string) client {
	return func(ctx context.Context, c *dynamodb.Client) {
		i, err := get(ctx, c, id)
		if err != nil {
			return
		}
		i["n"] = num(number(i, "n") + 1)
		_ = put(ctx, c, i)
	}
}

// numberIs is an invariant of the number n of an item.
func numberIs(id string, want int) func(*ddbtest.DB) error {
	return func(db *ddbtest.DB) error {
		for _, i := range db.Dump("items") {
			if id == i["id"].(*types.AttributeValueMemberS).Value && number(i, "n") != want {
				return fmt.Errorf("%s is %d, not %d", id, number(i, "n"), want)
			}
		}
		return nil
	}
}

// holds is an invariant that always holds.
func holds(*ddbtest.DB) error { return nil }

// noFaults is the order of requests alone.
var noFaults = explore.Faults{}

// requireProof fails the test unless the search is complete and found nothing.
func requireProof(t *testing.T, r *explore.Report) {
	t.Helper()
	if r.Failure != nil {
		t.Log(r.Failure)
	}
	require.Nil(t, r.Failure)
	require.Empty(t, r.Lacks)
	require.Empty(t, r.CutOff, r)
}

// requireFailure fails the test unless the search found a failure.
func requireFailure(t *testing.T, r *explore.Report) *explore.Failure {
	t.Helper()
	require.Empty(t, r.Lacks)
	require.NotNil(t, r.Failure, r)
	return r.Failure
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}
