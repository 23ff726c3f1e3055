package codec

import (
	"encoding"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"github.com/trestledb/trestle/internal/itemjson"
)

// DecodeJSON is Decode for an item in JSON. The struct shares no memory with the body; its texts
// are allocated in the arena.
func (s *Struct) DecodeJSON(item itemjson.Item, p Ptr, known func(attribute string) bool, a *Arena) error {
	d := decoder{Item: item, arena: a}
	err := d.fields(s, 0, len(item.Values), p)
	if err == nil && s.rest != nil {
		d.rest(s, p, known)
	}
	return err
}

// DecodeMembers is DecodeJSON for an item whose members are known, as [Lookup.Members] returned
// them for a lookup of the struct.
func (s *Struct) DecodeMembers(item itemjson.Item, members []uint32, p Ptr, known func(attribute string) bool, a *Arena) error {
	d := decoder{Item: item, arena: a}
	err := d.members(s, members, p)
	if err == nil && s.rest != nil {
		d.rest(s, p, known)
	}
	return err
}

// decoder decodes the values of an item. Of two members of one name the last one counts.
type decoder struct {
	itemjson.Item
	arena *Arena
}

// fields decodes the members whose records are from index i to end, to the fields of the struct at
// p.
func (d *decoder) fields(s *Struct, i, end int, p Ptr) error {
	var few [64]uint32
	members := few[:]
	if n := s.lookup.length; n > len(few) {
		members = make([]uint32, n)
	}
	s.lookup.members(d.Item, i, end, members)
	return d.members(s, members, p)
}

// members decodes the fields of the struct at p from their members, as [Lookup.Members] returned
// them. It decodes them in the order of the struct, whose types a processor predicts well. The
// order of the members differs from item to item.
func (d *decoder) members(s *Struct, members []uint32, p Ptr) error {
	for k, f := range s.fields {
		i := int(members[k]) - 1
		if i < 0 || f.KeyOnly || f == s.rest {
			continue
		}
		if v := &d.Values[i]; v.Type == itemjson.S && !v.Escaped && f.hops == nil && f.isText() { // most attributes
			*as[string](p.field(f.offset, f.leaf)) = d.arena.text(d.Body[v.Start:v.End])
		} else if err := d.field(f, i, p); err != nil {
			return err
		}
	}
	return nil
}

// field decodes the value at index i to a field of the struct at p.
func (d *decoder) field(f *Field, i int, p Ptr) error {
	var err error
	if at := f.allocate(p); f.asKey != nil && !d.null(i) {
		err = d.key(f, i, at)
	} else {
		err = d.value(f.Node, i, at, f.Options)
	}
	if err != nil { // most often it is nil, without a call
		err = prependPath(f.GoName, err)
	}
	return err
}

// null reports whether the value at index i is NULL, or a nil attribute value.
func (d *decoder) null(i int) bool {
	t := d.Values[i].Type
	return t == itemjson.NULL || t == 0
}

// viaOf holds the methods that decode each attribute type.
var viaOf = [...]Via{
	0: ViaAttribute, itemjson.S: ViaAttribute | ViaText, itemjson.N: ViaAttribute, itemjson.B: ViaAttribute | ViaBinary,
	itemjson.BOOL: ViaAttribute, itemjson.NULL: ViaAttribute, itemjson.M: ViaAttribute, itemjson.L: ViaAttribute,
	itemjson.SS: ViaAttribute, itemjson.NS: ViaAttribute, itemjson.BS: ViaAttribute, itemjson.Unknown: ViaAttribute,
}

// value sets the value at p, which must be the zero value, from the one at index i.
func (d *decoder) value(n *Node, i int, p Ptr, o Options) error {
	t := d.Values[i].Type
	if !n.simple {
		if n.Kind == KindPtr && d.null(i) {
			return nil
		}
		var dec Via
		n, p, dec = n.target(p)
		switch {
		case dec&viaOf[t] != 0 && (t != itemjson.S || n.Type != timeType):
			return d.byMethod(n, dec, i, p)
		case n.Kind == KindAny:
			return d.any(n, i, p, o)
		case n.Kind == KindRaw:
			return d.raw(n, i, p)
		}
	}
	switch t {
	case 0, itemjson.NULL:
		return nil // the value is zero already
	case itemjson.S:
		return d.text(n, i, p, o)
	case itemjson.N:
		return d.number(n, i, p)
	case itemjson.BOOL:
		if n.Kind != KindBool {
			return d.wrongType(n, i)
		}
		*as[bool](p) = d.True(i)
		return nil
	case itemjson.B:
		return d.bytes(n, i, p)
	case itemjson.M:
		return d.object(n, i, p)
	case itemjson.L, itemjson.SS, itemjson.NS, itemjson.BS:
		return d.elements(n, i, p)
	default:
		return d.wrongType(n, i)
	}
}

// target follows pointers to the value to set and allocates what they point to. dec is the set of
// methods that may decode that value.
func (n *Node) target(p Ptr) (*Node, Ptr, Via) {
	dec := n.Dec
	for n.Kind == KindPtr {
		dec = n.Dec
		n, p = n.Elem, p.alloc(n.Elem.Type)
	}
	return n, p, dec
}

// byMethod calls the method of the type that decodes the value at index i. The method gets a copy,
// which it may keep.
func (d *decoder) byMethod(n *Node, dec Via, i int, p Ptr) error {
	var err error
	switch v := p.pointer(n.Type); {
	case dec&ViaAttribute != 0:
		err = v.(attributevalue.Unmarshaler).UnmarshalDynamoDBAttributeValue(d.Attribute(i))
	case d.Values[i].Type == itemjson.S:
		err = v.(encoding.TextUnmarshaler).UnmarshalText([]byte(string(d.Text(i))))
	default:
		err = v.(encoding.BinaryUnmarshaler).UnmarshalBinary(d.Bytes(i))
	}
	return n.methodError(d.Values[i].Type.String(), err)
}

// rest sets the rest field.
func (d *decoder) rest(s *Struct, p Ptr, known func(string) bool) {
	rest := Item{}
	for i := range d.Members() {
		if name := string(d.Name(i)); s.inRest(name, known) {
			rest[name] = d.Attribute(i)
		}
	}
	s.setRest(rest, p)
}

func (d *decoder) wrongType(n *Node, i int) error {
	return d.newError(n, i, "wrong attribute type", nil)
}

// newError returns the error for a value at index i that a node cannot decode.
func (d *decoder) newError(n *Node, i int, reason string, cause error) error {
	return n.newError(d.Values[i].Type.String(), reason, cause)
}

// methodError returns the error of a type's own method that encoded or decoded a value, or nil.
func (n *Node) methodError(got string, err error) error {
	if err == nil {
		return nil
	}
	return n.newError(got, "the type's own method failed", err)
}
