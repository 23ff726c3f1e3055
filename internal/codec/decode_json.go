package codec

import (
	"github.com/trestledb/trestle/internal/itemjson"
)

// DecodeJSON is Decode for an item in JSON. The struct shares no memory with the body; its texts
// are allocated in the arena. The result is that of Decode with [itemjson.Item.Map], and so are
// errors.
func (s *Struct) DecodeJSON(item itemjson.Item, p Ptr, known func(attribute string) bool, a *Arena) error {
	d := jsonDecoder{Item: item, arena: a}
	if d.fields(s, 0, len(item.Values), p) {
		if s.rest != nil {
			d.rest(s, p, known)
		}
		return nil
	}
	p.setZero(s.Type)
	return s.Decode(item.Map(), p, known)
}

// jsonDecoder decodes an item in JSON. Its methods return false if a value cannot be decoded, or if
// an object has two members of one name. The caller then decodes the whole item as a map, which
// finds the error. So there is one place that makes errors, and the last one of two members counts.
type jsonDecoder struct {
	itemjson.Item
	arena *Arena
}

// fields decodes the members whose records are from index i to end, to the fields of the struct at
// p. Members often have the order of the fields, so the next field is tried first.
func (d *jsonDecoder) fields(s *Struct, i, end int, p Ptr) bool {
	var few [4]uint64
	seen := few[:]
	if len(s.fields) > 64*len(few) {
		seen = make([]uint64, (len(s.fields)+63)/64)
	}
	next := 0
	for ; i < end; i += int(d.Values[i].Span) {
		name := d.Name(i)
		var f *Field
		if next < len(s.fields) && s.fields[next].Name == string(name) {
			f = s.fields[next]
		} else if f = s.byName.find(name); f == nil {
			continue
		}
		next = f.position + 1
		if f.KeyOnly || f == s.rest {
			continue
		}
		word, bit := &seen[f.position/64], uint64(1)<<(f.position%64)
		if *word&bit != 0 || !d.field(f, i, p) {
			return false
		}
		*word |= bit
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
	if v.Type == itemjson.S && n.Kind == KindString && n.Dec == 0 { // most attributes
		*as[string](p) = d.arena.text(d.Text(i))
		return true
	}
	base, dec := n, n.Dec
	for base.Kind == KindPtr {
		base, dec = base.Elem, base.Dec
	}
	switch {
	case base.Kind == KindAny, base.Kind == KindRaw, dec&viaOf[v.Type] != 0 && (v.Type != itemjson.S || base.Type != timeType):
		return n.decode(d.Attribute(i), p, o) == nil
	case v.Type == itemjson.NULL:
		return true // the value is zero already
	}
	n, p, _ = n.target(p)
	switch v.Type {
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
		return d.members(n, i, p)
	default:
		return d.elements(n, i, p)
	}
}
