package ddbtest

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxTold is the most errors that are reported one by one.
const maxTold = 10

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
	err := db.store.View(func(s *store.State) error {
		t := s.Tables[table]
		if t == nil {
			return noTable(s, table)
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
	if len(l.faults) == maxTold {
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
		if err := checkValue(item[name], 0); err != nil {
			l.wrong(i, "%s: %w", name, err)
		} else if inKey && kindOf(item[name]) != kind {
			l.wrong(i, "%s is %s, and in the table's definition %s", name, kindOf(item[name]), kind)
		}
	}
	for _, a := range l.key.All() {
		if _, ok := item[a.Name]; !ok {
			l.wrong(i, "it lacks %s, which is in the table's key", a.Name)
		}
	}
	if len(l.faults)+l.more > before {
		return
	}
	place := l.place(item)
	hash := maphash.Bytes(l.seed, place)
	if other, ok := l.places[hash]; ok && bytes.Equal(l.place(items[other]), place) {
		l.wrong(i, "it has the same key as items[%d]", other)
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
	m, err := keyOf(key)
	if err != nil {
		return nil // reported already
	}
	return l.key.Place(m)
}
