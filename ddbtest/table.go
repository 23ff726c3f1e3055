package ddbtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// CreateTable creates a table that is ACTIVE at once, or fails the test. No rule, no budget and no cost knows of it, and [DB.Requests] does not list
// it. A table without billing mode is paid per request.
func (db *DB) CreateTable(t TB, input *dynamodb.CreateTableInput) {
	demand(t)
	t.Helper()
	if input == nil {
		t.Fatalf("ddbtest: create a table: there is no input")
		return
	}
	in := *input
	if in.BillingMode == "" && in.ProvisionedThroughput == nil {
		in.BillingMode = types.BillingModePayPerRequest
	}
	if _, err := db.backClient().CreateTable(context.Background(), &in); err != nil {
		t.Fatalf("ddbtest: create the table: %v", err)
	}
}

// Dump returns all items of a table in the order of their keys, as a strong read sees them. Where there is no such table, it is nil, and the test of
// the database fails. No rule, no budget and no cost knows of it, and [DB.Requests] does not list it.
func (db *DB) Dump(table string) []map[string]types.AttributeValue {
	db.testing().Helper()
	rows, err := db.rows(table)
	if err != nil {
		db.report(fmt.Errorf("Dump: %w", err))
		return nil
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
	items := make([]map[string]types.AttributeValue, len(rows))
	for i, r := range rows {
		items[i] = attributesOf(r.item)
	}
	return items
}

// row is an item with what it is ordered by.
type row struct {
	key  string
	item value.Map
}

func (db *DB) rows(table string) (rows []row, err error) {
	db.catchUp()
	err = db.store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return noTable(s, table)
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
	return rows, err
}

// noTable says that there is no such table, and which there may be.
func noTable(s *store.State, name string) error {
	return fault.Misnamed("table", name, slices.Sorted(maps.Keys(s.Tables)))
}

// backClient is a client of which no rule, no log and no cost knows.
func (db *DB) backClient() *dynamodb.Client {
	return db.Client(func(o *dynamodb.Options) { o.HTTPClient = db.backway })
}
