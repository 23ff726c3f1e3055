package codec

import "github.com/trestledb/trestle/internal/itemjson"

// elements decodes the list or set at index i to a slice or an array, as Node.decodeList does.
func (d *jsonDecoder) elements(n *Node, i int, p Ptr) bool {
	if n.Elem == nil || n.Kind == KindMap {
		return false
	}
	first, end, length := i+1, i+int(d.Values[i].Span), 0
	for i := first; i < end; i += int(d.Values[i].Span) {
		length++
	}
	switch {
	case n.texts:
		*as[[]string](p) = d.arena.list(length)
	case n.Kind == KindList || n.Kind == KindBytes:
		n.makeSlice(p, length)
	default:
		length = min(length, n.Len)
	}
	for k, i := 0, first; k < length; k, i = k+1, i+int(d.Values[i].Span) {
		if !d.value(n.Elem, i, p.index(n, k), plain) {
			return false
		}
	}
	return true
}

// object decodes the M at index i to a struct or a map.
func (d *jsonDecoder) object(n *Node, i int, p Ptr) bool {
	end := i + int(d.Values[i].Span)
	switch {
	case n.Kind == KindStruct:
		return d.fields(n.Struct, i+1, end, p)
	case n.Kind == KindMap && n.texts:
		return d.textMap(n, i, p)
	case n.Kind == KindMap:
		return n.decode(d.Attribute(i), p, plain) == nil
	default:
		return false
	}
}

// textMap decodes the M at index i to a map[string]string. If a value in it is not an S, the
// general code decodes it.
func (d *jsonDecoder) textMap(n *Node, i int, p Ptr) bool {
	first, end := i+1, i+int(d.Values[i].Span)
	texts := make(map[string]string, min(end-first, 64))
	for k := first; k < end; k++ {
		if d.Values[k].Type != itemjson.S {
			return n.decode(d.Attribute(i), p, plain) == nil
		}
		texts[d.arena.text(d.Name(k))] = d.arena.text(d.Text(k))
	}
	*as[map[string]string](p) = texts
	return true
}
