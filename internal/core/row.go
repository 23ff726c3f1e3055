package core

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// Row is an item as it was read, before it is decoded. The zero Row is no item. It has an attribute
// map, or the JSON of a response. Only the methods of this file and of Rows distinguish them.
type Row struct {
	item map[string]types.AttributeValue
	list *list // nil: the item is a map
	at   int   // its index in the list
}

// NewRow returns the row of an item of the SDK.
func NewRow(item map[string]types.AttributeValue) Row { return Row{item: item} }

// Empty reports whether there is no item.
func (r Row) Empty() bool {
	if r.list != nil {
		return len(r.list.items.At(r.at).Values) == 0
	}
	return len(r.item) == 0
}

// Has reports whether the item has an attribute.
func (r Row) Has(name string) bool {
	if r.list != nil {
		_, i := r.list.find(r.at, name)
		return i >= 0
	}
	_, ok := r.item[name]
	return ok
}

// Attribute returns an attribute, or nil if the item does not have it.
func (r Row) Attribute(name string) types.AttributeValue {
	if r.list == nil {
		return r.item[name]
	}
	if it, i := r.list.find(r.at, name); i >= 0 {
		return it.Attribute(i)
	}
	return nil
}

// Item returns the item with all attributes. It may be a new map for each call.
func (r Row) Item() map[string]types.AttributeValue {
	if r.list != nil {
		return r.list.items.At(r.at).Map()
	}
	return r.item
}

// view returns the type of an attribute, and the text of an S or N or the bytes of a B. The type is
// 0 if the item does not have it. The text may be a part of the response, so it must not be kept.
func (r Row) view(name string) (t itemjson.Type, text string) {
	if r.list == nil {
		return viewOf(r.item[name])
	}
	it, i := r.list.find(r.at, name)
	if i < 0 {
		return 0, ""
	}
	switch t = it.Values[i].Type; t {
	case itemjson.S, itemjson.N:
		return t, codec.View(it.Text(i))
	case itemjson.B:
		return t, codec.View(it.Bytes(i))
	default:
		return t, ""
	}
}

// viewOf is [Row.view] for an attribute value. It does not distinguish the types without a text.
func viewOf(av types.AttributeValue) (t itemjson.Type, text string) {
	switch av := av.(type) {
	case nil:
		return 0, ""
	case *types.AttributeValueMemberS:
		return itemjson.S, av.Value
	case *types.AttributeValueMemberN:
		return itemjson.N, av.Value
	case *types.AttributeValueMemberB:
		return itemjson.B, codec.View(av.Value)
	case *types.AttributeValueMemberNULL:
		return itemjson.NULL, ""
	default:
		return itemjson.Unknown, ""
	}
}

// Decode decodes the item by a plan into the entity at that address, which must hold the zero
// value: the attributes, then the fields that only keys hold.
func (r Row) Decode(p *Plan, at codec.Ptr) error {
	var err error
	if r.list != nil {
		err = r.list.decode(p, r.at, at)
	} else {
		err = p.Shape.Decode(r.item, at, p.IsSystem)
	}
	if err != nil {
		return err
	}
	return p.parseBack(r, at)
}

// viewKey returns the text of a key attribute, as view does. It returns false if the attribute has
// another type or is missing.
func (r Row) viewKey(a Attribute) (string, bool) {
	t, text := r.view(a.Name)
	return text, t == codec.KeyType(a.Type)
}

// KeyText returns the text of a key attribute. It returns false if the attribute has another type
// or is missing.
func (r Row) KeyText(a Attribute) (string, bool) {
	text, ok := r.viewKey(a)
	if !ok {
		return "", false
	}
	return strings.Clone(text), true
}

// HasPrefix reports whether the text of a key attribute starts with a prefix.
func (r Row) HasPrefix(a Attribute, prefix string) bool {
	text, ok := r.viewKey(a)
	return ok && strings.HasPrefix(text, prefix)
}

// appendIdentity appends the text of a key attribute, in one spelling of a number. It returns false
// if the attribute has another type or is missing.
func (r Row) appendIdentity(dst []byte, a Attribute) (_ []byte, ok bool) {
	text, ok := r.viewKey(a)
	if !ok {
		return dst, false
	}
	if a.Type == keys.N {
		text = keyspace.NumberIdentity(text)
	}
	return appendPart(dst, text), true
}

// holds reports whether an attribute of any type of keys has that text.
func (r Row) holds(name string, text []byte) bool {
	t, is := r.view(name)
	return (t == itemjson.S || t == itemjson.N || t == itemjson.B) && is == string(text)
}

// hasTextKey reports whether a key attribute is the text that the entity at that address renders
// to. It returns false if the attribute must be rendered to find out.
func (r Row) hasTextKey(a *KeyAttr, at codec.Ptr) bool {
	if a.text == nil {
		return false
	}
	t, text := r.view(a.Name)
	return t == itemjson.S && a.text.matches(text, at)
}

// typeIn returns the type that the type attribute names, or nil. ok is false without the attribute.
func (r Row) typeIn(s *Schema) (p *Plan, ok bool) {
	t, name := r.view(s.TypeAttr)
	if t == itemjson.S {
		p = s.byName[name]
	}
	return p, t != 0
}

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
