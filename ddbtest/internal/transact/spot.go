package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// spots are the items that a transaction is about.
type spots map[spot]bool

type spot struct {
	table *store.Table
	place string
}

// add refuses a second action on an item. What holds no key of the table, each attribute with its type, is no item.
func (s spots) add(t *store.Table, attributes value.Map) error {
	if !t.Key.Holds(attributes) {
		return nil
	}
	here := spot{t, string(t.Key.Place(attributes))}
	if s[here] {
		return awserr.Validation("Transaction request cannot include multiple operations on one item")
	}
	s[here] = true
	return nil
}
