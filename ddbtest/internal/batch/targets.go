package batch

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// sortedTables returns the tables of a request in the order in which they are processed.
func sortedTables[V any](tables map[string]V) []string { return slices.Sorted(maps.Keys(tables)) }

// GetTargets returns the items that a request reads, in order.
func GetTargets(in *api.BatchGetItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sortedTables(in.RequestItems) {
		for _, key := range in.RequestItems[table].Keys {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: key})
		}
	}
	return targets
}

// WriteTargets returns the items that a request writes, in order.
func WriteTargets(in *api.BatchWriteItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sortedTables(in.RequestItems) {
		for _, request := range in.RequestItems[table] {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: itemOrKey(request), Write: true})
		}
	}
	return targets
}

// itemOrKey returns the item to put, or the key of the item to delete.
func itemOrKey(request api.WriteRequest) value.Map {
	switch {
	case request.PutRequest != nil:
		return request.PutRequest.Item
	case request.DeleteRequest != nil:
		return request.DeleteRequest.Key
	}
	return nil
}

// itemRef is an item or a partition: the name of the table and the encoded key.
type itemRef struct{ table, place string }

// itemRefs is the set of items that a request names.
type itemRefs map[itemRef]bool

// add adds an item. It returns an error if the item is already in the set.
func (s itemRefs) add(ref itemRef) error {
	if s[ref] {
		return awserr.Validation("Provided list of item keys contains duplicates")
	}
	s[ref] = true
	return nil
}
