package itemtext

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Plain returns items as plain JSON, with one attribute per line.
func Plain(items []Item) string {
	objects := make([][]Member, len(items))
	for i, item := range items {
		for _, name := range slices.Sorted(maps.Keys(item)) {
			objects[i] = append(objects[i], Member{name, appendPlain(nil, item[name])})
		}
	}
	return Objects(objects)
}

// PlainItem returns an item as plain JSON on one line.
func PlainItem(item Item) []byte { return appendMap(nil, item, appendPlain) }

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value []byte
}

// Objects returns a JSON array of objects with one member per line.
func Objects(objects [][]Member) string {
	dst := []byte("[")
	for i, members := range objects {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n  {"...)
		for j, m := range members {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(append(dst, "\n    "...), m.Name), ": "...)
			dst = append(dst, m.Value...)
		}
		if len(members) > 0 {
			dst = append(dst, "\n  "...)
		}
		dst = append(dst, '}')
	}
	if len(objects) > 0 {
		dst = append(dst, '\n')
	}
	return string(append(dst, "]\n"...))
}

// appendPlain appends a value without its type.
func appendPlain(dst []byte, v types.AttributeValue) []byte {
	if isNil(v) {
		return append(dst, "null"...)
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return appendText(dst, v.Value)
	case *types.AttributeValueMemberN:
		return appendNumber(dst, v.Value)
	case *types.AttributeValueMemberB:
		return appendBinary(dst, v.Value)
	case *types.AttributeValueMemberBOOL:
		return appendBool(dst, v.Value)
	case *types.AttributeValueMemberL:
		return appendEach(dst, v.Value, appendPlain)
	case *types.AttributeValueMemberM:
		return appendMap(dst, v.Value, appendPlain)
	case *types.AttributeValueMemberSS:
		return appendEach(dst, sorted(v.Value), appendText)
	case *types.AttributeValueMemberNS:
		return appendEach(dst, sorted(v.Value), appendNumber)
	case *types.AttributeValueMemberBS:
		return appendEach(dst, sortedBinaries(v.Value), appendBinary)
	default:
		return append(dst, "null"...)
	}
}

// appendNumber appends a number. DynamoDB also accepts numbers that are not JSON, such as "+1".
func appendNumber(dst []byte, number string) []byte {
	var n json.Number
	if json.Unmarshal([]byte(number), &n) != nil || n.String() != number {
		return appendText(dst, number)
	}
	return append(dst, number...)
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}
