package codec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/keyspace"
)

// ItemSize returns the number of bytes that DynamoDB counts for an item: names and values.
func ItemSize(item Item) int {
	size := 0
	for name, av := range item {
		size += len(name) + ValueSize(av)
	}
	return size
}

// ValueSize returns the number of bytes that DynamoDB counts for a value. A list or map costs 3
// bytes, plus 1 for each element.
func ValueSize(av AV) int {
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		return len(tv.Value)
	case *types.AttributeValueMemberN:
		return numberSize(tv.Value)
	case *types.AttributeValueMemberB:
		return len(tv.Value)
	case *types.AttributeValueMemberSS:
		return sum(tv.Value, func(s string) int { return len(s) })
	case *types.AttributeValueMemberNS:
		return sum(tv.Value, numberSize)
	case *types.AttributeValueMemberBS:
		return sum(tv.Value, func(b []byte) int { return len(b) })
	case *types.AttributeValueMemberL:
		return 3 + len(tv.Value) + sum(tv.Value, ValueSize)
	case *types.AttributeValueMemberM:
		return 3 + len(tv.Value) + ItemSize(tv.Value)
	default: // BOOL, NULL
		return 1
	}
}

func sum[E any](elems []E, size func(E) int) int {
	total := 0
	for _, elem := range elems {
		total += size(elem)
	}
	return total
}

// numberSize returns 1 byte, plus 1 for a minus sign, plus 1 for every two significant digits. It
// rounds up the digits before and after the decimal point separately. Leading and trailing zeros
// are not significant.
func numberSize(s string) int {
	d, ok := keyspace.ParseDecimal(s)
	if !ok || !d.Storable() {
		return len(s) // DynamoDB refuses it
	}
	size := 1
	if d.Sign < 0 {
		size++
	}
	whole := min(max(d.Exponent+1, 0), len(d.Digits))
	return size + (whole+1)/2 + (len(d.Digits)-whole+1)/2
}
