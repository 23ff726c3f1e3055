package costtest

import (
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

// Call is a call of the library that a test expects, with its explanation. [Get], [Query], [Put]
// and similar functions return it.
type Call struct {
	kind kind
	err  error // the call is invalid
}

// kind is a kind of call.
type kind interface {
	// match removes the requests of the call from the open ones. It reports how they differ from
	// the explanation.
	match(l *openRequests) error
}

// explain explains a call for a number and a size of items.
type explain func(trestle.Assumption) (trestle.Explanation, error)

func (c Call) match(l *openRequests) error {
	switch {
	case c.err != nil:
		return c.err
	case c.kind == nil:
		return errors.New("the call is empty: make it with costtest.Get, costtest.Query or their like")
	}
	return c.kind.match(l)
}

// byKey is a call on one item.
type byKey struct {
	explain explain
	key     item
}

// target returns the explanation of the call for an item of unknown size, and the item.
func (c byKey) target() (trestle.Explanation, target, error) {
	x, err := c.explain(trestle.Assumption{})
	return x, target{table: x.Table, key: c.key, strong: x.Strong}, err
}

// keyOf returns a call on the item of an example.
func keyOf[T any](t *entity.Type[T], example T, x explain) (byKey, error) {
	key, err := t.KeyOf(example)
	return byKey{x, key}, err
}
