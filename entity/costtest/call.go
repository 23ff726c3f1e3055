package costtest

import (
	"errors"

	"github.com/trestledb/trestle/entity"
)

// Call is a call of the library that a test expects, with its explanation. [Get], [Query], [Put]
// and their like make it.
type Call struct {
	kind kind
	err  error // what is wrong with the call itself
}

// kind is a kind of call.
type kind interface {
	// settle takes the requests of the call out of the ledger and says how they differ from what is
	// explained.
	settle(l *ledger) error
}

// explain explains a call for items of a number and a size.
type explain func(entity.Assumption) (entity.Explanation, error)

func (c Call) settle(l *ledger) error {
	switch {
	case c.err != nil:
		return c.err
	case c.kind == nil:
		return errors.New("the call is empty: make it with costtest.Get, costtest.Query or their like")
	}
	return c.kind.settle(l)
}

// byKey is a call that is about one item.
type byKey struct {
	explain explain
	key     item
}

// target explains the call for an item of unknown size, and says which item it means.
func (c byKey) target() (entity.Explanation, target, error) {
	x, err := c.explain(entity.Assumption{})
	return x, target{table: x.Table, key: c.key, strong: x.Strong}, err
}

// keyOf makes a call that is about the item of an example.
func keyOf[T any](t *entity.Type[T], example T, x explain) (byKey, error) {
	key, err := t.KeyOf(example)
	return byKey{x, key}, err
}
