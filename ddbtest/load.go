package ddbtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Load puts items into a table. If items are invalid, it fails the test and names them. Rules,
// budgets and cost ignore it, and [DB.Requests] does not list it. Eventually consistent reads see
// the loaded items, as after [DB.Settle]. The table's stream has a record of each item.
func (db *DB) Load(t TB, table string, items ...map[string]types.AttributeValue) {
	demand(t)
	t.Helper()
	if err := db.load(table, items); err != nil {
		t.Fatalf("ddbtest: load %s into %q: %v", plural(float64(len(items)), "item"), table, err)
	}
	db.Settle()
}

func (db *DB) load(table string, items []map[string]types.AttributeValue) error {
	l, err := db.loaderOf(table)
	if err != nil {
		return err
	}
	for i := range items {
		l.check(i, items)
	}
	if err := l.err(); err != nil {
		return err
	}
	return db.put(table, items)
}

// batchSize is the most items that a batch can have.
const batchSize = 25

// put writes the items.
func (db *DB) put(table string, items []map[string]types.AttributeValue) error {
	client := db.backClient()
	done := 0
	for batch := range slices.Chunk(items, batchSize) {
		writes := make([]types.WriteRequest, len(batch))
		for i, item := range batch {
			writes[i].PutRequest = &types.PutRequest{Item: item}
		}
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: writes}}
		if _, err := client.BatchWriteItem(context.Background(), in); err != nil {
			return whichOf(client, table, batch, done, err)
		}
		done += len(batch)
	}
	return nil
}

// whichOf returns the error of the item that the service rejects.
func whichOf(client *dynamodb.Client, table string, batch []map[string]types.AttributeValue, first int, refused error) error {
	for i, item := range batch {
		if _, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: item}); err != nil {
			return fmt.Errorf("items[%d]: %w", first+i, withoutValues(err))
		}
	}
	return withoutValues(refused)
}

// withoutValues removes the message of a service error, because it may contain a value. Other
// errors contain no values.
func withoutValues(err error) error {
	var refused smithy.APIError
	if errors.As(err, &refused) {
		return errors.New(refused.ErrorCode())
	}
	return err
}
