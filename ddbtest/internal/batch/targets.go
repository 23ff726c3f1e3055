package batch

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// sorted are the tables of a request, in the order in which it is worked on.
func sorted[V any](tables map[string]V) []string { return slices.Sorted(maps.Keys(tables)) }

// GetTargets are the items that a request reads, in the order in which it does.
func GetTargets(in *api.BatchGetItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sorted(in.RequestItems) {
		for _, key := range in.RequestItems[table].Keys {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: key})
		}
	}
	return targets
}

// WriteTargets are the items that a request writes, in the order in which it does.
func WriteTargets(in *api.BatchWriteItemInput) []engine.Target {
	var targets []engine.Target
	for _, table := range sorted(in.RequestItems) {
		for _, request := range in.RequestItems[table] {
			targets = append(targets, engine.Target{Table: api.TableName(table), Key: attributes(request), Write: true})
		}
	}
	return targets
}

// attributes are those of the item to put, or of the key of the one to delete.
func attributes(request api.WriteRequest) value.Map {
	switch {
	case request.PutRequest != nil:
		return request.PutRequest.Item
	case request.DeleteRequest != nil:
		return request.DeleteRequest.Key
	}
	return nil
}
