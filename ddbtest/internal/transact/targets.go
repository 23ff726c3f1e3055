package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/item"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
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
		w, _ := writeOf(action)
		targets[i] = engine.Target{Table: api.TableName(w.TableName), Key: w.Item, Write: w.Kind != item.CheckKind}
	}
	return targets
}

// itemRefs is the set of items in a transaction.
type itemRefs map[itemRef]bool

type itemRef struct {
	table *store.Table
	place string
}

// add adds an item. It returns an error if another action has the same item. Attributes without a
// valid key of the table are ignored.
func (s itemRefs) add(t *store.Table, attributes value.Map) error {
	if !t.Key.Holds(attributes) {
		return nil
	}
	ref := itemRef{t, t.Key.Place(attributes)}
	if s[ref] {
		return awserr.Validation("Transaction request cannot include multiple operations on one item")
	}
	s[ref] = true
	return nil
}
