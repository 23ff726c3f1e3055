package codec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/itemjson"
)

// MaxNesting is the maximum number of nesting levels of an attribute.
const MaxNesting = 32

// TooDeep reports whether an attribute value has more nesting levels than DynamoDB stores: one, and
// one more for every list or map around the innermost value, even if that is an empty list or map.
func TooDeep(av AV) bool { return deeper(av, MaxNesting) }

// TooDeepJSON is TooDeep for the value at index i of an item in JSON.
func TooDeepJSON(item itemjson.Item, i int) bool { return item.Levels(i) > MaxNesting }

// deeper reports whether a value has more levels than left.
func deeper(av AV, left int) bool {
	switch tv := av.(type) {
	case *types.AttributeValueMemberL:
		if left < 2 {
			return true
		}
		for _, element := range tv.Value {
			if deeper(element, left-1) {
				return true
			}
		}
	case *types.AttributeValueMemberM:
		if left < 2 {
			return true
		}
		for _, element := range tv.Value {
			if deeper(element, left-1) {
				return true
			}
		}
	}
	return left < 1
}
