package core

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/keyspace"
)

// SameValue reports whether DynamoDB considers two attribute values equal. It compares numbers by
// value and sets in any order.
func SameValue(a, b types.AttributeValue) bool {
	if codec.WireOf(a) != codec.WireOf(b) {
		return false
	}
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		return x.Value == b.(*types.AttributeValueMemberS).Value
	case *types.AttributeValueMemberN:
		return keyspace.NumberIdentity(x.Value) == keyspace.NumberIdentity(b.(*types.AttributeValueMemberN).Value)
	case *types.AttributeValueMemberB:
		return bytes.Equal(x.Value, b.(*types.AttributeValueMemberB).Value)
	case *types.AttributeValueMemberBOOL:
		return x.Value == b.(*types.AttributeValueMemberBOOL).Value
	case *types.AttributeValueMemberSS:
		return sameSet(x.Value, b.(*types.AttributeValueMemberSS).Value, func(s string) string { return s })
	case *types.AttributeValueMemberNS:
		return sameSet(x.Value, b.(*types.AttributeValueMemberNS).Value, keyspace.NumberIdentity)
	case *types.AttributeValueMemberBS:
		return sameSet(x.Value, b.(*types.AttributeValueMemberBS).Value, func(s []byte) string { return string(s) })
	case *types.AttributeValueMemberL:
		return slices.EqualFunc(x.Value, b.(*types.AttributeValueMemberL).Value, SameValue)
	case *types.AttributeValueMemberM:
		return maps.EqualFunc(x.Value, b.(*types.AttributeValueMemberM).Value, SameValue)
	default:
		return true // NULL
	}
}

func sameSet[E any](a, b []E, identity func(E) string) bool {
	texts := func(list []E) []string {
		out := make([]string, len(list))
		for i, e := range list {
			out[i] = identity(e)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(texts(a), texts(b))
}

// CompareValues compares two values of the same scalar type as DynamoDB does: text and binary by
// bytes, numbers by value.
func CompareValues(a, b types.AttributeValue) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		return strings.Compare(a.Value, b.(*types.AttributeValueMemberS).Value)
	case *types.AttributeValueMemberB:
		return bytes.Compare(a.Value, b.(*types.AttributeValueMemberB).Value)
	case *types.AttributeValueMemberN:
		return keyspace.CompareNumbers(a.Value, b.(*types.AttributeValueMemberN).Value)
	default:
		return 0
	}
}
