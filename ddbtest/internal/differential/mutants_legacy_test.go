package differential

import (
	"slices"
	"strings"
	"testing"

	"github.com/trestledb/trestle/internal/testsize"
)

// everyOperation names the operations that have legacy parameters.
const everyOperation = "GetItem BatchGetItem Query Scan PutItem UpdateItem DeleteItem"

// legacyMutants treat legacy parameters wrongly.
var legacyMutants = []mutant{
	{"OR as AND", before(everyOperation, func(in object) {
		if in["ConditionalOperator"] == "OR" {
			in["ConditionalOperator"] = "AND"
		}
	})},
	{"no Expected", without("Expected")},
	{"no QueryFilter", without("QueryFilter")},
	{"no ScanFilter", without("ScanFilter")},
	{"LE as LT", operatorAs("LE", "LT", "Expected QueryFilter ScanFilter")},
	{"GE as GT in key conditions", operatorAs("GE", "GT", "KeyConditions")},
	{"BEGINS_WITH as CONTAINS", operatorAs("BEGINS_WITH", "CONTAINS", "Expected QueryFilter ScanFilter")},
	{"NOT_CONTAINS as NE", operatorAs("NOT_CONTAINS", "NE", "Expected QueryFilter ScanFilter")},
	{"IN of the first", conditions("Expected QueryFilter ScanFilter", func(c object) {
		if values := listIn(c, "AttributeValueList"); c["ComparisonOperator"] == "IN" && len(values) > 1 {
			c["AttributeValueList"] = values[:1]
		}
	})},
	{"BETWEEN of any bounds", conditions("Expected QueryFilter ScanFilter", func(c object) {
		if values := listIn(c, "AttributeValueList"); c["ComparisonOperator"] == "BETWEEN" && len(values) == 2 {
			c["AttributeValueList"] = []any{values[0], values[0]}
		}
	})},
	{"any number of operands", conditions("Expected QueryFilter ScanFilter", func(c object) {
		if values := listIn(c, "AttributeValueList"); len(values) > 1 && c["ComparisonOperator"] != "IN" && c["ComparisonOperator"] != "BETWEEN" {
			c["AttributeValueList"] = values[:1]
		}
	})},
	{"an absent value that Exists", conditions("Expected", func(c object) {
		if c["Exists"] == true {
			delete(c, "Exists")
		}
		if c["Exists"] == false {
			delete(c, "Value")
		}
	})},
	{"ADD as PUT", conditions("AttributeUpdates", func(c object) {
		if c["Action"] == "ADD" {
			c["Action"] = "PUT"
		}
	})},
	{"DELETE of the whole set", conditions("AttributeUpdates", func(c object) {
		if c["Action"] == "DELETE" {
			delete(c, "Value")
		}
	})},
	{"AttributesToGet of keys only", before("Query Scan", func(in object) {
		if names := listIn(in, "AttributesToGet"); len(names) > 1 {
			in["AttributesToGet"] = names[:1]
		}
	})},
	{"names of AttributesToGet twice", before(everyOperation, func(in object) {
		var names []any
		for _, name := range listIn(in, "AttributesToGet") {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if names != nil {
			in["AttributesToGet"] = names
		}
	})},
	{"legacy parameters beside expressions", before(everyOperation, func(in object) {
		for name := range in {
			if !strings.HasSuffix(name, "Expression") {
				continue
			}
			for _, legacy := range []string{"AttributesToGet", "QueryFilter", "ScanFilter", "Expected", "AttributeUpdates", "ConditionalOperator"} {
				delete(in, legacy)
			}
		}
	})},
}

// without removes a parameter, and a ConditionalOperator.
func without(parameter string) func(*exchange) reply {
	return before(everyOperation, func(in object) {
		if in[parameter] != nil {
			delete(in, parameter)
			delete(in, "ConditionalOperator")
		}
	})
}

// conditions alters each entry of some parameters.
func conditions(parameters string, alter func(condition object)) func(*exchange) reply {
	return before(everyOperation, func(in object) {
		for _, parameter := range strings.Fields(parameters) {
			for _, entry := range objectIn(in, parameter) {
				if entry, ok := entry.(object); ok {
					alter(entry)
				}
			}
		}
	})
}

// operatorAs replaces an operator in some parameters.
func operatorAs(operator, other, parameters string) func(*exchange) reply {
	return conditions(parameters, func(c object) {
		if c["ComparisonOperator"] == operator {
			c["ComparisonOperator"] = other
		}
	})
}

// Negative control of TestDifferentialOfLegacyParameters: the same comparison detects each mutant.
func TestLegacyMutantsAreFound(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, m := range legacyMutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			requireFound(t, m, generateLegacy)
		})
	}
}
