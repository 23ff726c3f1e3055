package codec

import (
	"github.com/trestledb/trestle/internal/itemjson"
)

// DecodeJSON is Decode for an item in JSON. The struct shares no memory with the body; its texts
// are allocated in the arena. The result is that of Decode with [itemjson.Item.Map], and so are
// errors.
func (s *Struct) DecodeJSON(item itemjson.Item, p Ptr, known func(attribute string) bool, a *Arena) error {
	d := jsonDecoder{Item: item, arena: a}
	return s.finishJSON(&d, d.fields(s, 0, len(item.Values), p), p, known)
}

// DecodeMembers is DecodeJSON for an item whose members are known, as [Lookup.Members] returned
// them for a lookup of the struct.
func (s *Struct) DecodeMembers(item itemjson.Item, members []uint32, p Ptr, known func(attribute string) bool, a *Arena) error {
	d := jsonDecoder{Item: item, arena: a}
	return s.finishJSON(&d, d.members(s, members, p), p, known)
}

// finishJSON decodes the rest field, or the whole item if its fields were not decoded.
func (s *Struct) finishJSON(d *jsonDecoder, decoded bool, p Ptr, known func(attribute string) bool) error {
	if decoded {
		if s.rest != nil {
			d.rest(s, p, known)
		}
		return nil
	}
	p.setZero(s.Type)
	return s.Decode(d.Map(), p, known)
}

// jsonDecoder decodes an item in JSON. Of two members of one name the last one counts. Its methods
// return false if a value cannot be decoded. The caller then decodes the whole item as a map, which
// finds the error. So there is one place that makes errors.
type jsonDecoder struct {
	itemjson.Item
	arena *Arena
}

// fields decodes the members whose records are from index i to end, to the fields of the struct at
// p.
func (d *jsonDecoder) fields(s *Struct, i, end int, p Ptr) bool {
	var few [64]uint32
	members := few[:]
	if n := s.lookup.Len(); n > len(few) {
		members = make([]uint32, n)
	}
	s.lookup.members(d.Item, i, end, members)
	return d.members(s, members, p)
}

// members decodes the fields of the struct at p from their members, as [Lookup.Members] returned
// them. It decodes them in the order of the struct, whose types a processor predicts well. The
// order of the members differs from item to item.
func (d *jsonDecoder) members(s *Struct, members []uint32, p Ptr) bool {
	for k, f := range s.fields {
		i := int(members[k]) - 1
		if i < 0 || f.KeyOnly || f == s.rest {
			continue
		}
		if v := &d.Values[i]; v.Type == itemjson.S && !v.Escaped && f.hops == nil && f.isText() { // most attributes
			*as[string](p.field(f.offset, f.leaf)) = d.arena.text(d.Body[v.Start:v.End])
		} else if !d.field(f, i, p) {
			return false
		}
	}
	return true
}

func (d *jsonDecoder) field(f *Field, i int, p Ptr) bool {
	at := f.allocate(p)
	if f.asKey != nil && d.Values[i].Type != itemjson.NULL {
		return f.decodeKey(d.Attribute(i), at) == nil
	}
	return d.value(f.Node, i, at, f.Options)
}

// rest sets the rest field, as Struct.decodeRest does.
func (d *jsonDecoder) rest(s *Struct, p Ptr, known func(string) bool) {
	rest := Item{}
	for i := range d.Members() {
		if name := string(d.Name(i)); !s.own(name) && (known == nil || !known(name)) {
			rest[name] = d.Attribute(i)
		}
	}
	if len(rest) > 0 {
		s.setRest(rest, p)
	}
}

// viaOf holds the methods that decode each attribute type.
var viaOf = [itemjson.BS + 1]Via{
	itemjson.S: ViaAttribute | ViaText, itemjson.N: ViaAttribute, itemjson.B: ViaAttribute | ViaBinary, itemjson.BOOL: ViaAttribute,
	itemjson.NULL: ViaAttribute, itemjson.M: ViaAttribute, itemjson.L: ViaAttribute, itemjson.SS: ViaAttribute, itemjson.NS: ViaAttribute,
	itemjson.BS: ViaAttribute,
}

// value is Node.decode for the value at index i. What is rare is decoded by Node.decode itself.
func (d *jsonDecoder) value(n *Node, i int, p Ptr, o Options) bool {
	v := &d.Values[i]
	if !n.simple {
		base, dec := n, n.Dec
		for base.Kind == KindPtr {
			base, dec = base.Elem, base.Dec
		}
		switch {
		case base.Kind == KindAny, base.Kind == KindRaw, dec&viaOf[v.Type] != 0 && (v.Type != itemjson.S || base.Type != timeType):
			return n.decode(d.Attribute(i), p, o) == nil
		case v.Type == itemjson.NULL: // also of pointers
			return true
		}
		n, p, _ = n.target(p)
	}
	switch v.Type {
	case itemjson.NULL:
		return true // the value is zero already
	case itemjson.S:
		return d.text(n, i, p, o)
	case itemjson.N:
		return d.number(n, i, p)
	case itemjson.BOOL:
		if n.Kind != KindBool {
			return false
		}
		*as[bool](p) = d.True(i)
		return true
	case itemjson.B:
		if n.Kind != KindBytes {
			return n.decode(d.Attribute(i), p, o) == nil
		}
		p.value(n.Type).SetBytes(d.Bytes(i))
		return true
	case itemjson.M:
		return d.object(n, i, p)
	default:
		return d.elements(n, i, p)
	}
}
