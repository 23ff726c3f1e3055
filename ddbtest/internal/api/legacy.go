package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// The types of the legacy parameters, which expressions replaced.

// Condition is a condition on an attribute: an entry of KeyConditions, QueryFilter or ScanFilter.
type Condition struct {
	AttributeValueList []value.Value
	ComparisonOperator string `api:"required,enum=IN|NULL|BETWEEN|LT|NOT_CONTAINS|EQ|GT|NOT_NULL|NE|LE|BEGINS_WITH|GE|CONTAINS"`
}

// ExpectedAttributeValue is a condition on an attribute: an entry of Expected.
type ExpectedAttributeValue struct {
	AttributeValueList []value.Value
	ComparisonOperator string `api:"enum=IN|NULL|BETWEEN|LT|NOT_CONTAINS|EQ|GT|NOT_NULL|NE|LE|BEGINS_WITH|GE|CONTAINS"`
	Exists             *bool
	Value              value.Value
}

// AttributeValueUpdate is the change of an attribute: an entry of AttributeUpdates.
type AttributeValueUpdate struct {
	Action string `api:"enum=ADD|DELETE|PUT"`
	Value  value.Value
}

// Expectation is the condition of a write in legacy parameters.
type Expectation struct {
	Expected            map[string]ExpectedAttributeValue
	ConditionalOperator string `api:"enum=OR|AND"`
}
