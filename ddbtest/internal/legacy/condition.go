package legacy

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Filter converts a QueryFilter or a ScanFilter, with the ConditionalOperator of the request. It
// returns nil if the filter has no conditions.
func Filter(conditions map[string]api.Condition, conditionalOperator string) (*expression.Condition, error) {
	tests := make([]expression.Test, 0, len(conditions))
	err := each(conditions, func(name string, c api.Condition) error {
		o := operators[c.ComparisonOperator]
		tests = append(tests, expression.Test{Attribute: name, Comparison: o.comparison, Operands: c.AttributeValueList})
		return o.check(c.ComparisonOperator, c.AttributeValueList)
	})
	if err != nil {
		return nil, err
	}
	return newCondition(tests, conditionalOperator)
}

// Condition converts the condition of a write. It returns nil if there is none.
func Condition(e api.Expectation) (*expression.Condition, error) {
	tests := make([]expression.Test, 0, len(e.Expected))
	err := each(e.Expected, func(name string, c api.ExpectedAttributeValue) error {
		t, err := newTest(name, c)
		tests = append(tests, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	return newCondition(tests, e.ConditionalOperator)
}

func newCondition(tests []expression.Test, conditionalOperator string) (*expression.Condition, error) {
	if err := checkOperator(conditionalOperator, len(tests)); err != nil || len(tests) == 0 {
		return nil, err
	}
	return expression.NewCondition(tests, conditionalOperator == "OR"), nil
}

// newTest converts one entry of Expected. It has a ComparisonOperator with operands in
// AttributeValueList or one in Value, or it has only Exists and Value.
func newTest(name string, c api.ExpectedAttributeValue) (expression.Test, error) {
	t := expression.Test{Attribute: name, Operands: c.AttributeValueList}
	if c.Value != nil {
		t.Operands = []value.Value{c.Value}
	}
	switch {
	case c.Value != nil && c.AttributeValueList != nil:
		return t, invalid("Value and AttributeValueList cannot be used together for Attribute: %s", name)
	case c.ComparisonOperator == "" && c.AttributeValueList != nil:
		return t, invalid("AttributeValueList can only be used with a ComparisonOperator for Attribute: %s", name)
	case c.ComparisonOperator == "":
		t.Comparison = expression.IsEqual
		if c.Exists != nil && !*c.Exists {
			t.Comparison = expression.NotExists
		}
		return t, checkExists(name, c)
	case c.Exists != nil:
		return t, invalid("Exists and ComparisonOperator cannot be used together for Attribute: %s", name)
	}
	o := operators[c.ComparisonOperator]
	if t.Operands == nil && o.operands != 0 {
		return t, invalid("Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s", c.ComparisonOperator, name)
	}
	t.Comparison = o.comparison
	return t, o.check(c.ComparisonOperator, t.Operands)
}

// checkExists checks that a value is there, unless the attribute must not exist.
func checkExists(name string, c api.ExpectedAttributeValue) error {
	switch {
	case c.Exists != nil && !*c.Exists && c.Value != nil:
		return invalid("Value cannot be used when Exists is false for Attribute: %s", name)
	case c.Exists != nil && !*c.Exists || c.Value != nil:
		return nil
	case c.Exists != nil:
		return invalid("Value must be provided when Exists is true for Attribute: %s", name)
	default:
		return invalid("Value must be provided when Exists is null for Attribute: %s", name)
	}
}

// KeyCondition converts KeyConditions. It does not check them against the key of a table.
func KeyCondition(conditions map[string]api.Condition) (*expression.KeyCondition, error) {
	if len(conditions) == 0 {
		return nil, awserr.Validation("Conditions must be at least length 1")
	}
	k := &expression.KeyCondition{Legacy: true}
	err := each(conditions, func(name string, c api.Condition) error {
		o := operators[c.ComparisonOperator]
		k.Comparisons = append(k.Comparisons, expression.KeyComparison{Attribute: name, Op: o.key, Operands: c.AttributeValueList})
		return o.check(c.ComparisonOperator, c.AttributeValueList)
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}
