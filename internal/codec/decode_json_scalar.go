package codec

import "time"

// text decodes the S at index i to a value that is not a pointer.
func (d *jsonDecoder) text(n *Node, i int, p Ptr, o Options) bool {
	switch {
	case o.Has(AsString) && n.Type != timeType:
		return d.number(n, i, p)
	case n.Kind == KindTime:
		t, ok := parseUTC(d.Text(i))
		if !ok {
			return n.decode(d.Attribute(i), p, o) == nil
		}
		*as[time.Time](p) = t
		return true
	case n.Kind == KindString || n.Kind == KindNumber:
		*as[string](p) = d.arena.text(d.Text(i))
		return true
	default:
		return false
	}
}

// number decodes the N at index i, or an S that holds a number.
func (d *jsonDecoder) number(n *Node, i int, p Ptr) bool {
	text := d.Text(i)
	if n.Kind == KindString || n.Kind == KindNumber {
		*as[string](p) = d.arena.text(text)
		return true
	}
	return setShort(n, text, p) || n.decodeNumber(nil, string(text), p) == nil
}
