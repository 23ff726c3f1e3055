package batch

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// sorted returns the tables of a request in the order in which they are processed.
func sorted[V any](tables map[string]V) []string { return slices.Sorted(maps.Keys(tables)) }

// GetTargets returns the items that a request reads, in order.
func GetTargets(in *api.BatchGetItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sorted(in.RequestItems) {
		for _, key := range in.RequestItems[table].Keys {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: key})
		}
	}
	return targets
}

// WriteTargets returns the items that a request writes, in order.
func WriteTargets(in *api.BatchWriteItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sorted(in.RequestItems) {
		for _, request := range in.RequestItems[table] {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: attributes(request), Write: true})
		}
	}
	return targets
}

// attributes returns the item to put, or the key of the item to delete.
func attributes(request api.WriteRequest) value.Map {
	switch {
	case request.PutRequest != nil:
		return request.PutRequest.Item
	case request.DeleteRequest != nil:
		return request.DeleteRequest.Key
	}
	return nil
}
