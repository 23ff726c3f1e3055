package core

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
)

// Rows are the items of a response, in order.
type Rows struct {
	items []map[string]types.AttributeValue
	one   Row // the only item, if it is not the zero Row
	list  *list
}

// NewRows returns the rows of items of the SDK.
func NewRows(items []map[string]types.AttributeValue) Rows { return Rows{items: items} }

// OneRow returns an item of the SDK as the only row. It returns no rows for nil.
func OneRow(item map[string]types.AttributeValue) Rows { return Rows{one: Row{item: item}} }

// JSONRows returns the rows of items in JSON. The body must not change as long as the rows are
// used. The rows of several items must not be used concurrently.
func JSONRows(items itemjson.Items) Rows {
	switch items.Len() {
	case 0:
		return Rows{}
	case 1:
		return Rows{list: &list{items: items}}
	default:
		return Rows{list: &list{items: items, arena: codec.NewArena(items.Size())}}
	}
}

// Release lets later responses use the memory of the rows. No row may be used afterwards. Rows that
// are never released are collected as garbage.
func (r Rows) Release() {
	if r.list == nil || r.list.from == nil {
		return
	}
	b, items := r.list.from, r.list.items
	r.list.from, r.list.items = nil, itemjson.Items{} // a later use panics
	b.release(items)
}

// RowsOf returns a row as the only one. It returns no rows for the zero Row. The row can be used
// concurrently. It and the other rows of its response cannot be released.
func RowsOf(r Row) Rows {
	if r.list != nil {
		r.list.from = nil
		r.list = &list{items: r.list.items}
	}
	return Rows{one: r}
}

// Len returns the number of rows.
func (r Rows) Len() int {
	switch {
	case r.one.item != nil || r.one.list != nil:
		return 1
	case r.list != nil:
		return r.list.items.Len()
	default:
		return len(r.items)
	}
}

// At returns the row at index i.
func (r Rows) At(i int) Row {
	switch {
	case r.one.item != nil || r.one.list != nil:
		return r.one
	case r.list != nil:
		return Row{list: r.list, at: i}
	default:
		return Row{item: r.items[i]}
	}
}

// First returns the first row, or the zero Row if there are none.
func (r Rows) First() Row {
	if r.Len() == 0 {
		return Row{}
	}
	return r.At(0)
}
