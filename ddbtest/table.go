package ddbtest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// CreateTable creates a table that is ACTIVE at once, or fails the test. Rules, budgets and cost
// ignore it, and [DB.Requests] does not list it. A table without a billing mode is an on-demand
// table, unless the input has a provisioned throughput.
func (db *DB) CreateTable(t TB, input *dynamodb.CreateTableInput) {
	requireTest(t)
	t.Helper()
	if input == nil {
		t.Fatalf("ddbtest: create a table: the input is nil")
		return
	}
	in := *input
	if in.BillingMode == "" && in.ProvisionedThroughput == nil {
		in.BillingMode = types.BillingModePayPerRequest
	}
	if _, err := db.setupClient().CreateTable(context.Background(), &in); err != nil {
		t.Fatalf("ddbtest: create the table: %v", serviceError(err))
	}
}

// Dump returns all items of a table in the order of their keys, as a strongly consistent read sees
// them. If there is no such table, it returns nil and fails the test of the database. Rules,
// budgets and cost ignore it, and [DB.Requests] does not list it.
func (db *DB) Dump(table string) []map[string]types.AttributeValue {
	db.test().Helper()
	if db.checkPlace() != nil {
		return nil
	}
	rows, err := db.rows(table)
	if err != nil {
		db.report(fmt.Errorf("Dump: %w", err))
		return nil
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
	items := make([]map[string]types.AttributeValue, len(rows))
	for i, r := range rows {
		items[i] = sdkvalue.Attributes(r.item)
	}
	return items
}

// row is an item and its sort order.
type row struct {
	key  string
	item value.Map
}

func (db *DB) rows(table string) (rows []row, err error) {
	db.runDue()
	defer db.keepUnlessClosed()
	err = db.data.Store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return fault.NoTable(s, table)
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

// setupClient returns a client whose requests rules, budgets and cost ignore.
func (db *DB) setupClient() *dynamodb.Client {
	return db.Client(func(o *dynamodb.Options) { o.HTTPClient = db.setupHTTP })
}
