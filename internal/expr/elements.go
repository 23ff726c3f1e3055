package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// elements returns the elements of a list or a set as attribute values.
func elements(av types.AttributeValue) []types.AttributeValue {
	switch v := av.(type) {
	case *types.AttributeValueMemberL:
		return v.Value
	case *types.AttributeValueMemberSS:
		list := make([]types.AttributeValue, len(v.Value))
		for i, s := range v.Value {
			list[i] = &types.AttributeValueMemberS{Value: s}
		}
		return list
	case *types.AttributeValueMemberNS:
		list := make([]types.AttributeValue, len(v.Value))
		for i, s := range v.Value {
			list[i] = &types.AttributeValueMemberN{Value: s}
		}
		return list
	case *types.AttributeValueMemberBS:
		list := make([]types.AttributeValue, len(v.Value))
		for i, s := range v.Value {
			list[i] = &types.AttributeValueMemberB{Value: s}
		}
		return list
	default:
		return nil
	}
}

// emptySet reports whether the value is a set without elements, which DynamoDB does not allow.
func emptySet(av types.AttributeValue) bool {
	return codec.WireOf(av)&sets != 0 && len(elements(av)) == 0
}

// knownType reports whether DynamoDB has a type of that name.
func knownType(name string) bool {
	for bit := codec.WireS; bit <= codec.WireBS; bit <<= 1 {
		if bit.String() == name {
			return true
		}
	}
	return false
}
