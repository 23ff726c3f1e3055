package core

import (
	"iter"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/keys"
)

// Render returns the attribute's value. vals are the members' values in order, and none of them may
// be absent.
func (a *KeyAttr) Render(vals []keys.Value) (types.AttributeValue, error) {
	text, err := a.Template.Render(vals...)
	if err != nil {
		return nil, err
	}
	return KeyValue(a.Type, text), nil
}

// KeyValue returns a rendered key as an attribute value of type t.
func KeyValue(t keys.AttrType, text string) types.AttributeValue { return codec.KeyValue(t, text) }

// KeyText returns the text of a key attribute, in the form that templates parse. It returns false
// if the attribute has another type or is missing.
func KeyText(t keys.AttrType, av types.AttributeValue) (string, bool) { return codec.KeyText(t, av) }

// Decode is [Row.Decode] for an item of the SDK.
func (p *Plan) Decode(item map[string]types.AttributeValue, at codec.Ptr) error {
	return NewRow(item).Decode(p, at)
}

// parseBack sets the fields that only keys hold.
func (p *Plan) parseBack(row Row, at codec.Ptr) error {
	for _, a := range p.Attrs {
		if a.Parse == nil {
			continue
		}
		if err := a.parseBack(row, at); err != nil {
			return err
		}
	}
	return nil
}

// parseBack sets the members that the plan parses from this key attribute. If the item lacks the
// attribute, they stay unchanged.
func (a *KeyAttr) parseBack(row Row, at codec.Ptr) error {
	text, ok := row.KeyText(a.Attribute)
	if !ok {
		return nil
	}
	vals, err := a.Template.Parse(text)
	if err != nil {
		return err
	}
	for i, f := range a.Members {
		if !a.Parse[i] {
			continue
		}
		if err := f.SetKey(vals[i], at); err != nil {
			return err
		}
	}
	return nil
}

// Attributes iterates over the key's attributes, the partition key's first.
func (k Key) Attributes() iter.Seq[*KeyAttr] {
	return func(yield func(*KeyAttr) bool) {
		for _, a := range k.Partition {
			if !yield(a) {
				return
			}
		}
		for _, a := range k.Sort {
			if !yield(a) {
				return
			}
		}
	}
}

// Condition returns the key condition for one item, with templates as values.
func (k Key) Condition() string {
	var parts []string
	for a := range k.Attributes() {
		parts = append(parts, a.Condition())
	}
	return strings.Join(parts, " AND ")
}

// Condition returns the condition that the attribute has the value of its template.
func (a *KeyAttr) Condition() string { return a.Name + " = " + a.Template.String() }

// Has reports whether the attribute is part of the key.
func (k Key) Has(a *KeyAttr) bool {
	for s := range k.Attributes() {
		if s == a {
			return true
		}
	}
	return false
}

// HasMember reports whether a field is a member of any of the key's attributes.
func (k Key) HasMember(f *codec.Field) bool {
	for a := range k.Attributes() {
		for _, m := range a.Members {
			if m == f {
				return true
			}
		}
	}
	return false
}

// Rendered reports whether the attribute is rendered, and is neither a field nor part of the
// table's key.
func (a *KeyAttr) Rendered() bool { return a.Field == nil && !a.Table }

// TableMember reports whether the field is a member of the table's key, or computed from members of
// it. Such a field never changes during the lifetime of an item.
func (p *Plan) TableMember(f *codec.Field) bool { return f.IsDerived() || p.Table.HasMember(f) }

// IndexMember reports whether the field is a member of the key of any index that the type can be
// in.
func (p *Plan) IndexMember(f *codec.Field) bool {
	for _, x := range p.Indexes {
		if x.Key.HasMember(f) {
			return true
		}
	}
	return false
}

// Constant reports whether all members of the index's key are members of the table's key. Then
// every item of the type is in the index, and its index key never changes.
func (p *Plan) Constant(x *IndexKey) bool {
	for a := range x.Key.Attributes() {
		for _, m := range a.Members {
			if !p.TableMember(m) {
				return false
			}
		}
	}
	return true
}
