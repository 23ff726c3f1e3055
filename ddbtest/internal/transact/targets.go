package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
)

// GetTargets returns the items that a request reads, in order.
func GetTargets(in *api.TransactGetItemsInput) []engine.Target {
	targets := make([]engine.Target, len(in.TransactItems))
	for i, action := range in.TransactItems {
		if get := action.Get; get != nil {
			targets[i] = engine.Target{Table: api.TableName(get.TableName), Key: get.Key}
		}
	}
	return targets
}

// WriteTargets returns the items of a request's actions, in order.
func WriteTargets(in *api.TransactWriteItemsInput) []engine.Target {
	targets := make([]engine.Target, len(in.TransactItems))
	for i, action := range in.TransactItems {
		w, _ := described(action)
		targets[i] = engine.Target{Table: api.TableName(w.TableName), Key: w.Item, Write: w.Kind != item.CheckKind}
	}
	return targets
}
