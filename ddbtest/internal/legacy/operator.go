package legacy

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// operator is a ComparisonOperator.
type operator struct {
	comparison expression.Comparison
	key        expression.KeyOperator
	operands   int          // their number; 0 for none, -1 for one or more
	kinds      []value.Kind // that operands may have; nil allows all
}

var (
	ordered = []value.Kind{value.KindString, value.KindNumber, value.KindBinary}
	// Members of sets, parts of strings, and elements of lists that are no collections.
	contained = append(ordered[:len(ordered):len(ordered)], value.KindBool, value.KindNull)
	prefixes  = []value.Kind{value.KindString, value.KindBinary}
)

// operators holds all operators. Package wire rejects other names.
var operators = map[string]operator{
	"EQ":           {expression.IsEqual, expression.Equal, 1, nil},
	"NE":           {expression.IsNotEqual, expression.NotIndexable, 1, nil},
	"LE":           {expression.IsLessOrEqual, expression.LessOrEqual, 1, ordered},
	"LT":           {expression.IsLess, expression.Less, 1, ordered},
	"GE":           {expression.IsGreaterOrEqual, expression.GreaterOrEqual, 1, ordered},
	"GT":           {expression.IsGreater, expression.Greater, 1, ordered},
	"IN":           {expression.IsIn, expression.NotIndexable, -1, ordered},
	"BETWEEN":      {expression.IsBetween, expression.Between, 2, ordered},
	"NOT_NULL":     {expression.Exists, expression.NotIndexable, 0, nil},
	"NULL":         {expression.NotExists, expression.NotIndexable, 0, nil},
	"CONTAINS":     {expression.Contains, expression.NotIndexable, 1, contained},
	"NOT_CONTAINS": {expression.ContainsNot, expression.NotIndexable, 1, contained},
	"BEGINS_WITH":  {expression.HasPrefix, expression.BeginsWith, 1, prefixes},
}

// check rejects operands that the operator does not allow: their number, their types, and reversed
// bounds.
func (o operator) check(name string, operands []value.Value) error {
	if len(operands) != o.operands && (o.operands >= 0 || len(operands) == 0) {
		return invalid("Invalid number of argument(s) for the %s ComparisonOperator", name)
	}
	for _, v := range operands {
		if v.Kind() != operands[0].Kind() {
			return invalid("AttributeValues inside AttributeValueList must be of same type")
		}
		if o.kinds != nil && !slices.Contains(o.kinds, v.Kind()) {
			return invalid("ComparisonOperator %s is not valid for %s AttributeValue type", name, v.Kind())
		}
	}
	if o.comparison != expression.IsBetween {
		return nil
	}
	if order, _ := value.Compare(operands[0], operands[1]); order > 0 {
		return awserr.Validation("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
	}
	return nil
}
