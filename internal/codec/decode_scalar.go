package codec

import (
	"strconv"
	"time"
)

// decodeText sets a value from an S.
func (n *Node) decodeText(s string, p Ptr, o *Options) error {
	if o.AsString {
		return n.decodeNumber("S", s, p)
	}
	switch n.Kind {
	case KindString, KindNumber:
		p.setText(s)
		return nil
	case KindTime:
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return n.newError("S", "the text is not a time in RFC 3339", err)
		}
		p.setTime(t)
		return nil
	case KindAny:
		return n.setAny("S", s, p)
	case KindRaw:
		return n.decodeRaw(textValue(s), p)
	default:
		return n.newError("S", "wrong attribute type", nil)
	}
}

// decodeTime sets a time.Time with the strictness of its UnmarshalText. It calls the faster
// time.Parse only for texts that both parse alike.
func (n *Node) decodeTime(s string, p Ptr) error {
	const utc = len("2006-01-02T15:04:05Z")
	var t time.Time
	var err error
	if len(s) == utc && s[13] == ':' || len(s) > utc && s[13] == ':' && s[utc-1] == '.' && s[len(s)-1] == 'Z' {
		t, err = time.Parse(time.RFC3339, s)
	} else {
		err = t.UnmarshalText([]byte(s))
	}
	if err != nil {
		return n.newError("S", "the text is not a time in RFC 3339", err)
	}
	p.setTime(t)
	return nil
}

// decodeNumber sets a value from an N, or from an S that holds a number. got is the attribute's
// type.
func (n *Node) decodeNumber(got, s string, p Ptr) error {
	switch n.Kind {
	case KindTime:
		seconds, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return n.newError(got, "the number is not a Unix time in seconds", err)
		}
		p.setTime(time.Unix(seconds, 0))
		return nil
	case KindAny:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return n.newError(got, "the number does not fit into a float64", err)
		}
		return n.setAny(got, f, p)
	case KindRaw:
		return n.decodeRaw(numberValue(s), p)
	case KindString, KindNumber, KindInt, KindUint, KindFloat:
		if err := n.setNumber(s, p); err != nil {
			return n.newError(got, "the number does not fit into the type", err)
		}
		return nil
	default:
		return n.newError(got, "wrong attribute type", nil)
	}
}

// setNumber sets a number or a string from a number's text. A number that does not fit is an error.
func (n *Node) setNumber(s string, p Ptr) error {
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
		p.setText(s)
	}
	return nil
}

// decodeBytes sets a slice or an array of bytes. The length of an array must match exactly.
func (n *Node) decodeBytes(b []byte, p Ptr) error {
	if n.Kind == KindBytes {
		p.setBytes(append(make([]byte, 0, len(b)), b...))
		return nil
	}
	if len(b) != n.Len {
		return n.newError("B", "the length of the binary differs from the array's", nil)
	}
	copy(p.value(n.Type).Bytes(), b)
	return nil
}
