package costs

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// itemSize is what the service takes for an item's size: the bytes of its names and values.
func itemSize(item map[string]types.AttributeValue) int {
	size := 0
	for name, value := range item {
		size += len(name) + valueSize(value)
	}
	return size
}

// valueSize is that of the values that the programs store; lists and maps take three bytes, and one for each of their values.
func valueSize(value types.AttributeValue) int {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return 1 + (len(strings.Trim(v.Value, "0"))+1)/2 // two digits a byte
	case *types.AttributeValueMemberL:
		size := 3 + len(v.Value)
		for _, element := range v.Value {
			size += valueSize(element)
		}
		return size
	case *types.AttributeValueMemberM:
		return 3 + len(v.Value) + itemSize(v.Value)
	default:
		return 1
	}
}
