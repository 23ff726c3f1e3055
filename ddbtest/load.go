package ddbtest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Load puts items into a table. If items are invalid, it fails the test and names them. Rules,
// budgets and cost ignore it, and [DB.Requests] does not list it. Eventually consistent reads see
// the loaded items, as after [DB.Settle]. The table's stream has a record of each item.
func (db *DB) Load(t TB, table string, items ...map[string]types.AttributeValue) {
	requireTest(t)
	t.Helper()
	name := func(i int) string { return fmt.Sprintf("items[%d]", i) }
	if err := db.load(table, items, name); err != nil {
		t.Fatalf("ddbtest: load %s into %q: %v", plural(float64(len(items)), "item"), table, err)
	}
	db.Settle()
}

// load validates and puts items. The function names an item in errors, by its position.
func (db *DB) load(table string, items []map[string]types.AttributeValue, name func(int) string) error {
	checker, err := db.newItemChecker(table)
	if err != nil {
		return err
	}
	checker.name = name
	for i := range items {
		checker.check(i, items)
	}
	if err := checker.err(); err != nil {
		return err
	}
	return db.put(table, items, name)
}

// batchSize is the most items that a batch can have.
const batchSize = 25

// put writes the items.
func (db *DB) put(table string, items []map[string]types.AttributeValue, name func(int) string) error {
	client := db.setupClient()
	done := 0
	for batch := range slices.Chunk(items, batchSize) {
		writes := make([]types.WriteRequest, len(batch))
		for i, item := range batch {
			writes[i].PutRequest = &types.PutRequest{Item: item}
		}
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: writes}}
		if _, err := client.BatchWriteItem(context.Background(), in); err != nil {
			return invalidItem(client, table, batch, func(i int) string { return name(done + i) }, err)
		}
		done += len(batch)
	}
	return nil
}

// invalidItem returns the error of the item that DynamoDB rejects. Its text contains no values: the
// texts that repeat one are about invalid numbers and members that appear twice in a set, which
// [sdkvalue.Check] finds before.
func invalidItem(client *dynamodb.Client, table string, batch []map[string]types.AttributeValue, name func(int) string, rejected error) error {
	for i, item := range batch {
		if _, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: item}); err != nil {
			return fmt.Errorf("%s: %w", name(i), serviceError(err))
		}
	}
	return serviceError(rejected)
}

// serviceError returns an error of DynamoDB as its code and its message, without what the SDK adds.
// It returns other errors as they are.
func serviceError(err error) error {
	var rejected smithy.APIError
	if !errors.As(err, &rejected) {
		return err
	}
	return fmt.Errorf("%s: %s", rejected.ErrorCode(), rejected.ErrorMessage())
}

// maxReported is the most errors that are reported one by one.
const maxReported = 10

// itemChecker validates items before they are put.
type itemChecker struct {
	key         store.KeySchema
	definitions map[string]value.Kind // of the attributes in the keys of the table and its indexes
	positions   map[uint64]int        // positions of the items so far, by the hash of their keys
	seed        maphash.Seed
	name        func(int) string

	errs []error
	more int // errors that are not in errs
}

func (db *DB) newItemChecker(table string) (*itemChecker, error) {
	c := &itemChecker{definitions: map[string]value.Kind{}, positions: map[uint64]int{}, seed: maphash.MakeSeed()}
	err := db.data.Store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return fault.NoTable(s, table)
		}
		c.key = t.Key
		for _, a := range t.Definition {
			c.definitions[a.Name] = a.Kind
		}
		return nil
	})
	return c, err
}

func (c *itemChecker) err() error {
	if c.more > 0 {
		c.errs = append(c.errs, jsonfile.More(c.more))
	}
	return errors.Join(c.errs...)
}

func (c *itemChecker) addErr(i int, format string, args ...any) {
	if len(c.errs) == maxReported {
		c.more++
		return
	}
	c.errs = append(c.errs, fmt.Errorf("%s: %w", c.name(i), fmt.Errorf(format, args...)))
}

// check validates the i-th of the items.
func (c *itemChecker) check(i int, items []map[string]types.AttributeValue) {
	item := items[i]
	before := len(c.errs) + c.more
	for _, name := range slices.Sorted(maps.Keys(item)) {
		kind, inKey := c.definitions[name]
		if err := sdkvalue.Check(item[name]); err != nil {
			c.addErr(i, "%s: %w", name, err)
		} else if inKey && sdkvalue.Kind(item[name]) != kind {
			c.addErr(i, "%s has type %s, but the table defines it as %s", name, sdkvalue.Kind(item[name]), kind)
		}
	}
	for _, a := range c.key.All() {
		if _, ok := item[a.Name]; !ok {
			c.addErr(i, "key attribute %s is missing", a.Name)
		}
	}
	if len(c.errs)+c.more > before {
		return
	}
	key := c.encodedKey(item)
	hash := maphash.String(c.seed, key)
	if other, ok := c.positions[hash]; ok && c.encodedKey(items[other]) == key {
		c.addErr(i, "same key as %s", c.name(other))
		return
	}
	c.positions[hash] = i
}

// encodedKey returns the encoded key of an item. It is equal only for equal keys.
func (c *itemChecker) encodedKey(item map[string]types.AttributeValue) string {
	key := make(map[string]types.AttributeValue, 2)
	for _, a := range c.key.All() {
		key[a.Name] = item[a.Name]
	}
	m, err := sdkvalue.Key(key)
	if err != nil {
		return "" // reported already
	}
	return c.key.Place(m)
}
