package core

import (
	"bytes"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// Row is an item as it was read, before it is decoded. The zero Row is no item. It has an attribute
// map, or the JSON of a response. Only Row and Rows distinguish them.
type Row struct {
	item map[string]types.AttributeValue
	list *list // nil: the item is a map
	at   int   // its index in the list
}

// NewRow returns the row of an item of the SDK.
func NewRow(item map[string]types.AttributeValue) Row { return Row{item: item} }

// json returns the item of a row that has JSON.
func (r Row) json() itemjson.Item { return r.list.items.At(r.at) }

// find returns the item of a row that has JSON, and the index of an attribute, or -1.
func (r Row) find(name string) (itemjson.Item, int) { return r.list.find(r.at, name) }

// Empty reports whether there is no item.
func (r Row) Empty() bool {
	if r.list != nil {
		return len(r.json().Values) == 0
	}
	return len(r.item) == 0
}

// Has reports whether the item has an attribute.
func (r Row) Has(name string) bool {
	if r.list != nil {
		_, i := r.find(name)
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
	if it, i := r.find(name); i >= 0 {
		return it.Attribute(i)
	}
	return nil
}

// Item returns the item with all attributes. It may be a new map for each call.
func (r Row) Item() map[string]types.AttributeValue {
	if r.list != nil {
		return r.json().Map()
	}
	return r.item
}

// keyType returns the type of the values of a key attribute.
func keyType(t keys.AttrType) itemjson.Type {
	switch t {
	case keys.N:
		return itemjson.N
	case keys.B:
		return itemjson.B
	default:
		return itemjson.S
	}
}

// KeyText returns the text of a key attribute. It returns false if the attribute has another type
// or is missing.
func (r Row) KeyText(a Attribute) (string, bool) {
	if r.list == nil {
		if text, ok := KeyText(a.Type, r.item[a.Name]); ok {
			return text, true
		}
		return "", false
	}
	it, i := r.find(a.Name)
	switch {
	case i < 0 || it.Values[i].Type != keyType(a.Type):
		return "", false
	case a.Type == keys.B:
		return string(it.Bytes(i)), true
	default:
		return string(it.Text(i)), true
	}
}

// appendIdentity appends the text of a key attribute, in one spelling of a number. It returns false
// if the attribute has another type or is missing.
func (r Row) appendIdentity(dst []byte, a Attribute) (_ []byte, ok bool) {
	if r.list != nil && a.Type == keys.S {
		it, i := r.find(a.Name)
		if i < 0 || it.Values[i].Type != itemjson.S {
			return dst, false
		}
		return appendPart(dst, it.Text(i)), true
	}
	text, ok := r.KeyText(a)
	if !ok {
		return dst, false
	}
	if a.Type == keys.N {
		text = keyspace.NumberIdentity(text)
	}
	return appendPart(dst, text), true
}

// HasPrefix reports whether the text of a key attribute starts with a prefix.
func (r Row) HasPrefix(a Attribute, prefix string) bool {
	if r.list != nil && a.Type == keys.S {
		it, i := r.find(a.Name)
		if i < 0 || it.Values[i].Type != itemjson.S {
			return false
		}
		text := it.Text(i)
		return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
	}
	text, ok := r.KeyText(a)
	return ok && strings.HasPrefix(text, prefix)
}

// holds reports whether an attribute of any type of keys has that text.
func (r Row) holds(name string, text []byte) bool {
	if r.list != nil {
		it, i := r.find(name)
		if i < 0 {
			return false
		}
		switch it.Values[i].Type {
		case itemjson.S, itemjson.N:
			return bytes.Equal(it.Text(i), text)
		case itemjson.B:
			return bytes.Equal(it.Bytes(i), text)
		default:
			return false
		}
	}
	switch av := r.item[name].(type) {
	case *types.AttributeValueMemberS:
		return string(text) == av.Value
	case *types.AttributeValueMemberN:
		return string(text) == av.Value
	case *types.AttributeValueMemberB:
		return bytes.Equal(text, av.Value)
	default:
		return false
	}
}

// hasTextKey reports whether a key attribute in JSON is the text that the entity at that address
// renders to. It returns false if the attribute must be rendered to find out.
func (r Row) hasTextKey(a *KeyAttr, at codec.Ptr) bool {
	if r.list == nil || a.text == nil {
		return false
	}
	it, i := r.find(a.Name)
	return i >= 0 && it.Values[i].Type == itemjson.S && a.text.matches(it.Text(i), at)
}

// timeToLive returns the value of the item's time to live.
func (r Row) timeToLive(name string) timeToLive {
	if r.list == nil {
		return timeToLiveOf(r.item[name])
	}
	switch it, i := r.find(name); {
	case i < 0:
		return timeToLive{}
	case it.Values[i].Type != itemjson.N:
		return timeToLive{present: it.Values[i].Type != itemjson.NULL}
	default:
		return timeToLiveIn(it.Text(i))
	}
}

// typeIn returns the type that the type attribute names, or nil. ok is false without the attribute.
func (r Row) typeIn(s *Schema) (p *Plan, ok bool) {
	if r.list != nil {
		it, i := r.find(s.TypeAttr)
		if i < 0 {
			return nil, false
		}
		if it.Values[i].Type == itemjson.S {
			p = s.byName[string(it.Text(i))]
		}
		return p, true
	}
	switch av := r.item[s.TypeAttr].(type) {
	case nil:
		return nil, false
	case *types.AttributeValueMemberS:
		return s.byName[av.Value], true
	default:
		return nil, true
	}
}

// Decode decodes the item by a plan into the entity at that address, which must hold the zero
// value.
func (r Row) Decode(p *Plan, at codec.Ptr) error {
	if r.list == nil {
		return p.Decode(r.item, at)
	}
	if err := r.list.decode(p, r.at, at); err != nil {
		return err
	}
	return p.parseBack(r, at)
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
