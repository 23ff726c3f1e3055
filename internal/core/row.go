package core

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// Row is an item as it was read, before it is decoded. The zero Row is no item.
type Row struct {
	item map[string]types.AttributeValue
}

// NewRow returns the row of an item of the SDK.
func NewRow(item map[string]types.AttributeValue) Row { return Row{item} }

// Empty reports whether there is no item.
func (r Row) Empty() bool { return len(r.item) == 0 }

// Attribute returns an attribute, or nil if the item does not have it.
func (r Row) Attribute(name string) types.AttributeValue { return r.item[name] }

// Item returns the item with all attributes.
func (r Row) Item() map[string]types.AttributeValue { return r.item }

// Decode decodes the item by a plan into the entity at that address, which must hold the zero
// value.
func (r Row) Decode(p *Plan, at codec.Ptr) error { return p.Decode(r.item, at) }

// Attributes returns the named attributes. It returns false if the item lacks one of them.
func (r Row) Attributes(names []Attribute) (map[string]types.AttributeValue, bool) {
	found := make(map[string]types.AttributeValue, len(names))
	for _, a := range names {
		av := r.Attribute(a.Name)
		if av == nil {
			return nil, false
		}
		found[a.Name] = av
	}
	return found, true
}

// Rows are the items of a response, in order.
type Rows struct {
	items []map[string]types.AttributeValue
	one   map[string]types.AttributeValue // the only item, if items is nil
}

// NewRows returns the rows of items of the SDK.
func NewRows(items []map[string]types.AttributeValue) Rows { return Rows{items: items} }

// OneRow returns an item of the SDK as the only row. It returns no rows for nil.
func OneRow(item map[string]types.AttributeValue) Rows { return Rows{one: item} }

// RowsOf returns a row as the only one. It returns no rows for the zero Row.
func RowsOf(r Row) Rows { return Rows{one: r.item} }

// Len returns the number of rows.
func (r Rows) Len() int {
	if r.one != nil {
		return 1
	}
	return len(r.items)
}

// At returns the row at index i.
func (r Rows) At(i int) Row {
	if r.one != nil {
		return Row{r.one}
	}
	return Row{r.items[i]}
}

// First returns the first row, or the zero Row if there are none.
func (r Rows) First() Row {
	if r.Len() == 0 {
		return Row{}
	}
	return r.At(0)
}
