package clause

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

func equal(a, b av) bool { return a != nil && b != nil && core.SameValue(a, b) }

// scalars are the types with an order.
const scalars = codec.WireS | codec.WireN | codec.WireB

// ordered reports whether the order of two values is in a range. Values of two types have none.
func ordered(a, b av, from, to int) bool {
	if a == nil || b == nil || codec.WireOf(a) != codec.WireOf(b) || codec.WireOf(a)&scalars == 0 {
		return false
	}
	order := core.CompareValues(a, b)
	return from <= order && order <= to
}

func hasType(a, b av) bool {
	name, ok := b.(*types.AttributeValueMemberS)
	return ok && a != nil && codec.WireOf(a).String() == name.Value
}

func beginsWith(a, b av) bool {
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		prefix, ok := b.(*types.AttributeValueMemberS)
		return ok && strings.HasPrefix(x.Value, prefix.Value)
	case *types.AttributeValueMemberB:
		prefix, ok := b.(*types.AttributeValueMemberB)
		return ok && bytes.HasPrefix(x.Value, prefix.Value)
	default:
		return false
	}
}

// contains searches for a part of a text or of bytes, or for an element of a set or of a list.
func contains(a, b av) bool {
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		part, ok := b.(*types.AttributeValueMemberS)
		return ok && strings.Contains(x.Value, part.Value)
	case *types.AttributeValueMemberB:
		part, ok := b.(*types.AttributeValueMemberB)
		return ok && bytes.Contains(x.Value, part.Value)
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(x.Value, func(e av) bool { return equal(e, b) })
	case *types.AttributeValueMemberSS:
		return slices.ContainsFunc(x.Value, func(e string) bool { return equal(&types.AttributeValueMemberS{Value: e}, b) })
	case *types.AttributeValueMemberNS:
		return slices.ContainsFunc(x.Value, func(e string) bool { return equal(&types.AttributeValueMemberN{Value: e}, b) })
	case *types.AttributeValueMemberBS:
		return slices.ContainsFunc(x.Value, func(e []byte) bool { return equal(&types.AttributeValueMemberB{Value: e}, b) })
	default:
		return false
	}
}

// size returns the length of a text in UTF-16 code units, the number of bytes, or the number of
// elements. It returns nil for a value without a size.
func size(v av) av {
	var n int
	switch x := v.(type) {
	case *types.AttributeValueMemberS:
		n = len(utf16.Encode([]rune(x.Value)))
	case *types.AttributeValueMemberB:
		n = len(x.Value)
	case *types.AttributeValueMemberL:
		n = len(x.Value)
	case *types.AttributeValueMemberM:
		n = len(x.Value)
	case *types.AttributeValueMemberSS:
		n = len(x.Value)
	case *types.AttributeValueMemberNS:
		n = len(x.Value)
	case *types.AttributeValueMemberBS:
		n = len(x.Value)
	default:
		return nil
	}
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}
