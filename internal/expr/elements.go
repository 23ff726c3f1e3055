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
		return members(v.Value, func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} })
	case *types.AttributeValueMemberNS:
		return members(v.Value, func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} })
	case *types.AttributeValueMemberBS:
		return members(v.Value, func(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} })
	default:
		return nil
	}
}

func members[E any](set []E, attribute func(E) types.AttributeValue) []types.AttributeValue {
	list := make([]types.AttributeValue, len(set))
	for i, e := range set {
		list[i] = attribute(e)
	}
	return list
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
