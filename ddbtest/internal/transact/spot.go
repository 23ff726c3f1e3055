package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// spots is the set of items in a transaction.
type spots map[spot]bool

type spot struct {
	table *store.Table
	place string
}

// add adds an item. It returns an error if another action has the same item. Attributes without a
// valid key of the table are ignored.
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
