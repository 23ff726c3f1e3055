package itemfile

import (
	"encoding/base64"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
)

// Item is an item in the SDK's types.
type Item = map[string]types.AttributeValue

// typeNames are the names of the types in DynamoDB JSON.
var typeNames = []string{"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"}

// isAttribute reports whether the value looks like an attribute value: an object with one member
// that is named after a type.
func isAttribute(v *jsonfile.Value) bool {
	return v.Kind == jsonfile.Object && len(v.List) == 1 && slices.Contains(typeNames, v.List[0].Name)
}

// HasAttribute reports whether a value has a member that looks like an attribute value.
func HasAttribute(v *jsonfile.Value) bool {
	return v.Kind == jsonfile.Object && slices.ContainsFunc(v.List, isAttribute)
}

// readItem reads the attributes of an item or of a map.
func readItem(v *jsonfile.Value, f *jsonfile.Faults) Item {
	if !f.Need(v, jsonfile.Object) {
		return nil
	}
	item := make(Item, len(v.List))
	for _, m := range v.List {
		item[m.Name] = readAttribute(m, f)
	}
	return item
}

// readAttribute reads a value of DynamoDB JSON.
func readAttribute(v *jsonfile.Value, f *jsonfile.Faults) types.AttributeValue {
	switch {
	case v.Kind != jsonfile.Object:
		f.Add(v, `this is %s, not DynamoDB JSON such as {"S": "text"}: load plain JSON as Go values, with DB.LoadValues`, v.Kind)
		return nil
	case !isAttribute(v):
		f.Add(v, "this is not a value of DynamoDB JSON: it has one member, which is named S, N, B, BOOL, NULL, L, M, SS, NS or BS")
		return nil
	}
	member := v.List[0]
	a := readTyped(member, f)
	if a == nil {
		return nil
	}
	if k := member.Name; k == "N" || k == "NS" {
		if sdkvalue.Check(a) != nil {
			f.Add(member, "this is not a number of DynamoDB, which has at most 38 digits")
		}
	}
	return a
}

func readTyped(m *jsonfile.Value, f *jsonfile.Faults) types.AttributeValue {
	switch m.Name {
	case "S":
		if f.Need(m, jsonfile.Text) {
			return &types.AttributeValueMemberS{Value: m.Text}
		}
	case "N":
		if m.Kind == jsonfile.Number {
			f.Add(m, `a number is written as a string in DynamoDB JSON: {"N": "1"}`)
		} else if f.Need(m, jsonfile.Text) {
			return &types.AttributeValueMemberN{Value: m.Text}
		}
	case "B":
		if f.Need(m, jsonfile.Text) {
			return &types.AttributeValueMemberB{Value: readBinary(m, f)}
		}
	case "BOOL":
		if f.Need(m, jsonfile.Bool) {
			return &types.AttributeValueMemberBOOL{Value: m.Text == "true"}
		}
	case "NULL":
		if f.Need(m, jsonfile.Bool) {
			if m.Text != "true" {
				f.Add(m, "the value of NULL is always true")
			}
			return &types.AttributeValueMemberNULL{Value: true}
		}
	case "M":
		if f.Need(m, jsonfile.Object) {
			return &types.AttributeValueMemberM{Value: readItem(m, f)}
		}
	case "L":
		if f.Need(m, jsonfile.Array) {
			list := make([]types.AttributeValue, len(m.List))
			for i, e := range m.List {
				list[i] = readAttribute(e, f)
			}
			return &types.AttributeValueMemberL{Value: list}
		}
	default:
		if f.Need(m, jsonfile.Array) {
			return readSet(m, f)
		}
	}
	return nil
}

func readSet(m *jsonfile.Value, f *jsonfile.Faults) types.AttributeValue {
	if len(m.List) == 0 {
		f.Add(m, "a set of DynamoDB is not empty: leave the attribute out")
	}
	texts := make([]string, 0, len(m.List))
	binaries := make([][]byte, 0, len(m.List))
	for _, e := range m.List {
		if !f.Need(e, jsonfile.Text) {
			continue
		}
		texts = append(texts, e.Text)
		if m.Name == "BS" {
			binaries = append(binaries, readBinary(e, f))
		}
	}
	switch m.Name {
	case "SS":
		return &types.AttributeValueMemberSS{Value: texts}
	case "NS":
		return &types.AttributeValueMemberNS{Value: texts}
	default:
		return &types.AttributeValueMemberBS{Value: binaries}
	}
}

func readBinary(v *jsonfile.Value, f *jsonfile.Faults) []byte {
	b, err := base64.StdEncoding.DecodeString(v.Text)
	if err != nil {
		f.Add(v, "this is not Base64, in which DynamoDB JSON writes binary values")
	}
	return b
}
