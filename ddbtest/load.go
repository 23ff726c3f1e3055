package ddbtest

import (
	"bytes"
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
	client := db.setupClient()
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

// maxReported is the most errors that are reported one by one.
const maxReported = 10

// loader validates items before they are put.
type loader struct {
	key         store.KeySchema
	definitions map[string]value.Kind // of the attributes in the keys of the table and its indexes
	places      map[uint64]int        // positions of the items so far, by the hash of their keys
	seed        maphash.Seed

	faults []error
	more   int
}

func (db *DB) loaderOf(table string) (*loader, error) {
	l := &loader{definitions: map[string]value.Kind{}, places: map[uint64]int{}, seed: maphash.MakeSeed()}
	err := db.data.Store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return fault.NoTable(s, table)
		}
		l.key = t.Key
		for _, a := range t.Definition {
			l.definitions[a.Name] = a.Kind
		}
		return nil
	})
	return l, err
}

func (l *loader) err() error {
	if l.more > 0 {
		l.faults = append(l.faults, fmt.Errorf("and %d more", l.more))
	}
	return errors.Join(l.faults...)
}

func (l *loader) wrong(i int, format string, args ...any) {
	if len(l.faults) == maxReported {
		l.more++
		return
	}
	l.faults = append(l.faults, fmt.Errorf("items[%d]: %w", i, fmt.Errorf(format, args...)))
}

// check validates the i-th of the items.
func (l *loader) check(i int, items []map[string]types.AttributeValue) {
	item := items[i]
	before := len(l.faults) + l.more
	for _, name := range slices.Sorted(maps.Keys(item)) {
		kind, inKey := l.definitions[name]
		if err := sdkvalue.Check(item[name]); err != nil {
			l.wrong(i, "%s: %w", name, err)
		} else if inKey && sdkvalue.Kind(item[name]) != kind {
			l.wrong(i, "%s has type %s, but the table defines it as %s", name, sdkvalue.Kind(item[name]), kind)
		}
	}
	for _, a := range l.key.All() {
		if _, ok := item[a.Name]; !ok {
			l.wrong(i, "key attribute %s is missing", a.Name)
		}
	}
	if len(l.faults)+l.more > before {
		return
	}
	place := l.place(item)
	hash := maphash.Bytes(l.seed, place)
	if other, ok := l.places[hash]; ok && bytes.Equal(l.place(items[other]), place) {
		l.wrong(i, "same key as items[%d]", other)
		return
	}
	l.places[hash] = i
}

// place returns the encoded key of an item. It is equal only for equal keys.
func (l *loader) place(item map[string]types.AttributeValue) []byte {
	key := make(map[string]types.AttributeValue, 2)
	for _, a := range l.key.All() {
		key[a.Name] = item[a.Name]
	}
	m, err := sdkvalue.Key(key)
	if err != nil {
		return nil // reported already
	}
	return l.key.Place(m)
}
