package page

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// filterForm has the fields of a filter, for the keys and for any attribute.
type filterForm struct {
	form
	Keys, Attribute []field
}

// operators are the comparisons of the filter of an attribute.
var operators = []string{compareEqual, opDiffers, "<", "<=", ">", ">=", opBeginsWith, opContains, opExists, opAbsent}

// keyOperators are the comparisons of the filter of a sort key.
var keyOperators = []string{compareEqual, opBeginsWith}

// form returns the form with what was typed.
func (f *filter) form() filterForm {
	var fields []field
	for i, k := range f.source.keys {
		label := k.Name + ", partition key"
		if !k.Partition {
			label = k.Name + ", sort key"
		}
		if !k.Partition && k.Type != types.ScalarAttributeTypeN { // a number has no beginning
			fields = append(fields, field{
				Name: prefixCompare + strconv.Itoa(i), Label: "Comparison of " + k.Name, Options: optionsOf(keyOperators...), Class: "narrow",
			})
		}
		fields = append(fields, field{
			Name: prefixKey + strconv.Itoa(i), Label: label, Hint: typeHint(string(k.Type)), Numeric: k.Type == types.ScalarAttributeTypeN,
		})
	}
	keys := len(fields)
	fields = append(fields,
		field{Name: fieldAttribute, Label: "Attribute", Hint: "A name, or a document path such as a.b[0]"},
		field{Name: fieldOperator, Label: "Operator", Options: optionsOf(operators...), Class: "narrow"},
		field{Name: fieldType, Label: "Type", Options: []option{
			{Value: typeString, Text: "S, string"}, {Value: typeNumber, Text: "N, number"}, {Value: typeBinary, Text: "B, binary as hex"},
			{Value: typeBool, Text: "BOOL, true or false"}, {Value: typeNull, Text: "NULL"},
		}, Class: "narrow"},
		field{Name: fieldValue, Label: "Value"},
	)
	form := newForm("filter", &typed{f.query, f.problems}, fields)
	return filterForm{form: form, Keys: form.Fields[:keys], Attribute: form.Fields[keys:]}
}

// typeHint says how a key attribute of a type is written.
func typeHint(kind string) string {
	switch kind {
	case typeNumber:
		return "N, a number"
	case typeBinary:
		return "B, binary as hex"
	default:
		return "S, a string"
	}
}
