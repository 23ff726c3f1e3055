package codec

import (
	"strconv"
	"time"
)

// text decodes the S at index i to a value that is not a pointer.
func (d *decoder) text(n *Node, i int, p Ptr, o Options) error {
	switch {
	case o.Has(AsString) && n.Type != timeType:
		return d.number(n, i, p)
	case n.Kind == KindTime:
		if t, ok := parseUTC(d.Text(i)); ok { // what both methods below parse
			*as[time.Time](p) = t
			return nil
		}
		return d.time(n, i, p)
	case n.Kind == KindString || n.Kind == KindNumber:
		*as[string](p) = d.arena.text(d.Text(i))
		return nil
	default:
		return d.wrongType(n, i)
	}
}

// time decodes a time in RFC 3339. A time.Time is decoded with the strictness of its UnmarshalText,
// and a type converted from it with that of time.Parse.
func (d *decoder) time(n *Node, i int, p Ptr) error {
	var t time.Time
	var err error
	if text := d.Text(i); n.Type == timeType {
		err = t.UnmarshalText(text)
	} else {
		t, err = time.Parse(time.RFC3339, string(text))
	}
	if err != nil {
		return d.newError(n, i, "the text is not a time in RFC 3339", err)
	}
	*as[time.Time](p) = t
	return nil
}

// number decodes the N at index i, or an S that holds a number.
func (d *decoder) number(n *Node, i int, p Ptr) error {
	text := d.Text(i)
	switch n.Kind {
	case KindString, KindNumber:
		*as[string](p) = d.arena.text(text)
	case KindTime:
		seconds, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return d.newError(n, i, "the number is not a Unix time in seconds", err)
		}
		*as[time.Time](p) = time.Unix(seconds, 0)
	case KindInt, KindUint, KindFloat:
		if setShort(n, text, p) {
			return nil
		}
		if err := n.setNumber(string(text), p); err != nil {
			return d.newError(n, i, "the number does not fit into the type", err)
		}
	default:
		return d.wrongType(n, i)
	}
	return nil
}

// setNumber sets a number or a string from a number's text. A number that does not fit is an error.
func (n *Node) setNumber(s string, p Ptr) error {
	if setShort(n, s, p) {
		return nil
	}
	switch n.Kind {
	case KindInt:
		i, err := strconv.ParseInt(s, 10, int(n.Bits))
		if err != nil {
			return err
		}
		p.setInt(n.Bits, i)
	case KindUint:
		u, err := strconv.ParseUint(s, 10, int(n.Bits))
		if err != nil {
			return err
		}
		p.setUint(n.Bits, u)
	case KindFloat:
		f, err := strconv.ParseFloat(s, int(n.Bits))
		if err != nil {
			return err
		}
		p.setFloat(n.Bits, f)
	default:
		*as[string](p) = s
	}
	return nil
}

// bytes decodes the B at index i to a slice or an array of bytes.
func (d *decoder) bytes(n *Node, i int, p Ptr) error {
	if n.Kind != KindBytes && n.Kind != KindByteArray {
		return d.wrongType(n, i)
	}
	return n.setBytes(d.Bytes(i), p)
}

// setBytes sets a slice, which keeps b, or an array of bytes. The length of an array must match
// exactly.
func (n *Node) setBytes(b []byte, p Ptr) error {
	switch {
	case n.Kind == KindBytes:
		p.value(n.Type).SetBytes(b)
	case len(b) != n.Len:
		return n.newError(WireB.String(), "the length of the binary differs from the array's", nil)
	default:
		copy(p.bytes(n), b)
	}
	return nil
}
