package itemtext

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Typed returns an item as DynamoDB JSON on one line.
func Typed(item Item) []byte { return appendMap(nil, item, appendTyped) }

// appendTyped appends a value with its type: an object with one member. A nil value is null, which
// DynamoDB rejects.
func appendTyped(dst []byte, v types.AttributeValue) []byte {
	if isNil(v) {
		return append(dst, "null"...)
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		dst = appendText(append(dst, `{"S":`...), v.Value)
	case *types.AttributeValueMemberN:
		dst = appendText(append(dst, `{"N":`...), v.Value)
	case *types.AttributeValueMemberB:
		dst = appendBinary(append(dst, `{"B":`...), v.Value)
	case *types.AttributeValueMemberBOOL:
		dst = appendBool(append(dst, `{"BOOL":`...), v.Value)
	case *types.AttributeValueMemberNULL:
		dst = append(dst, `{"NULL":true`...)
	case *types.AttributeValueMemberL:
		dst = appendEach(append(dst, `{"L":`...), v.Value, appendTyped)
	case *types.AttributeValueMemberM:
		dst = appendMap(append(dst, `{"M":`...), v.Value, appendTyped)
	case *types.AttributeValueMemberSS:
		dst = appendEach(append(dst, `{"SS":`...), sorted(v.Value), appendText)
	case *types.AttributeValueMemberNS:
		dst = appendEach(append(dst, `{"NS":`...), sorted(v.Value), appendText)
	case *types.AttributeValueMemberBS:
		dst = appendEach(append(dst, `{"BS":`...), sortedBinaries(v.Value), appendBinary)
	default:
		return append(dst, "null"...)
	}
	return append(dst, '}')
}

func isNil(v types.AttributeValue) bool { return v == nil || reflect.ValueOf(v).IsNil() }
