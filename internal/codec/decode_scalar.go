package codec

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decodeTime sets a time from its text. A time.Time is decoded with the strictness of its
// UnmarshalText, and a type converted from it with that of time.Parse. The fast parseUTC accepts
// only texts that both parse.
func (n *Node) decodeTime(av *types.AttributeValueMemberS, p Ptr) error {
	t, ok := parseUTC(av.Value)
	var err error
	switch {
	case ok:
	case n.Type == timeType:
		err = t.UnmarshalText([]byte(av.Value))
	default:
		t, err = time.Parse(time.RFC3339, av.Value)
	}
	if err != nil {
		return n.newError(typeName(av), "the text is not a time in RFC 3339", err)
	}
	*as[time.Time](p) = t
	return nil
}

// decodeNumber sets a value from an N, or from an S that holds a number.
func (n *Node) decodeNumber(av AV, s string, p Ptr) error {
	switch n.Kind {
	case KindTime:
		seconds, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return n.newError(typeName(av), "the number is not a Unix time in seconds", err)
		}
		*as[time.Time](p) = time.Unix(seconds, 0)
		return nil
	case KindString, KindNumber, KindInt, KindUint, KindFloat:
		if err := n.setNumber(s, p); err != nil {
			return n.newError(typeName(av), "the number does not fit into the type", err)
		}
		return nil
	default:
		return n.wrongType(av)
	}
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

// decodeBytes sets a slice or an array of bytes. The length of an array must match exactly.
func (n *Node) decodeBytes(av *types.AttributeValueMemberB, p Ptr) error {
	switch n.Kind {
	case KindBytes:
		p.value(n.Type).SetBytes(append([]byte{}, av.Value...))
	case KindByteArray:
		if len(av.Value) != n.Len {
			return n.newError(typeName(av), "the length of the binary differs from the array's", nil)
		}
		copy(p.bytes(n), av.Value)
	default:
		return n.wrongType(av)
	}
	return nil
}
