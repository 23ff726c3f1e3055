package ddbtest

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// CreateTable creates a table, or fails the test. No rule, no log and no cost knows of it. A table without billing mode is paid per request.
func (db *DB) CreateTable(t TB, input *dynamodb.CreateTableInput) {
	t.Helper()
	in := *input
	if in.BillingMode == "" && in.ProvisionedThroughput == nil {
		in.BillingMode = types.BillingModePayPerRequest
	}
	if _, err := db.backClient().CreateTable(context.Background(), &in); err != nil {
		t.Fatalf("ddbtest: create the table: %v", err)
	}
}

// batchSize is how many items a batch takes.
const batchSize = 25

// Load puts items into a table, or fails the test. No rule, no log and no cost knows of it.
func (db *DB) Load(t TB, table string, items ...map[string]types.AttributeValue) {
	t.Helper()
	client := db.backClient()
	for batch := range slices.Chunk(items, batchSize) {
		writes := make([]types.WriteRequest, len(batch))
		for i, item := range batch {
			writes[i].PutRequest = &types.PutRequest{Item: item}
		}
		_, err := client.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: writes}})
		if err != nil {
			t.Fatalf("ddbtest: load items into %q: %v", table, err)
		}
	}
}

// Dump returns all items of a table in the order of their keys, as a strong read sees them; nil where there is no such table. No rule, no log
// and no cost knows of it.
func (db *DB) Dump(table string) []map[string]types.AttributeValue {
	type row struct {
		key  string
		item value.Map
	}
	var rows []row
	_ = db.store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return nil
		}
		rows = make([]row, 0, t.Len())
		for _, item := range s.Items(t, s.Now, true).From("") {
			var key []byte
			for _, a := range t.Key.All() {
				key = value.AppendKey(key, item.Get(a.Name))
			}
			rows = append(rows, row{string(key), item})
		}
		return nil
	})
	if rows == nil {
		return nil
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
	items := make([]map[string]types.AttributeValue, len(rows))
	for i, r := range rows {
		items[i] = attributesOf(r.item)
	}
	return items
}

// backClient is a client of which no rule, no log and no cost knows.
func (db *DB) backClient() *dynamodb.Client {
	return db.Client(func(o *dynamodb.Options) { o.HTTPClient = db.backway })
}
