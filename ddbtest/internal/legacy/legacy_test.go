package legacy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/legacy"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

const invalid = "One or more parameter values were invalid: "

var (
	a, b = value.String("a"), value.String("b")
	one  = value.Number{Decimal: decimal.FromInt(1)}
)

// values has a value of every type.
var values = []value.Value{
	a, one, value.Binary("a"), value.Bool(true), value.Null{}, value.List{}, value.Map{}, value.StringSet{"a"},
	value.NumberSet{one.Decimal}, value.BinarySet{"a"},
}

func condition(operator string, operands ...value.Value) api.Condition {
	return api.Condition{ComparisonOperator: operator, AttributeValueList: operands}
}

// requireMessage checks the message of a ValidationException, or that there is no error if it is
// empty.
func requireMessage(t *testing.T, message string, err error, what ...any) {
	t.Helper()
	if message == "" {
		require.NoError(t, err, what...)
		return
	}
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr, what...)
	require.Equal(t, awserr.CodeValidation, serviceErr.Code)
	require.Equal(t, message, serviceErr.Message, what...)
}

// TestTogether checks which parameters may be together. A map without entries counts as given:
// public engines captured that from the service. DynamoDB Local ignores it.
func TestTogether(t *testing.T) {
	t.Parallel()
	all := func(given string, names ...string) (parameters []legacy.Parameter) {
		for _, name := range names {
			parameters = append(parameters, legacy.Parameter{Name: name, Given: strings.Contains(" "+given+" ", " "+name+" ")})
		}
		return parameters
	}
	const mixed = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {"
	for given, message := range map[string]string{
		"": "", "KeyConditions QueryFilter AttributesToGet ConditionalOperator": "", "KeyConditionExpression FilterExpression ProjectionExpression": "",
		"KeyConditions FilterExpression": "", "KeyConditions ProjectionExpression": "", "KeyConditions FilterExpression ProjectionExpression": "",
		"KeyConditions KeyConditionExpression":               mixed + "KeyConditions} Expression parameters: {KeyConditionExpression}",
		"QueryFilter KeyConditionExpression":                 mixed + "QueryFilter} Expression parameters: {KeyConditionExpression}",
		"KeyConditions QueryFilter ProjectionExpression":     mixed + "QueryFilter} Expression parameters: {ProjectionExpression}",
		"KeyConditions AttributesToGet FilterExpression":     mixed + "AttributesToGet} Expression parameters: {FilterExpression}",
		"KeyConditions ConditionalOperator FilterExpression": mixed + "ConditionalOperator} Expression parameters: {FilterExpression}",
		"KeyConditions QueryFilter AttributesToGet ConditionalOperator FilterExpression ProjectionExpression": mixed +
			"AttributesToGet, QueryFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}",
		"KeyConditions QueryFilter AttributesToGet ConditionalOperator KeyConditionExpression FilterExpression ProjectionExpression": mixed +
			"AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions} Expression parameters: {ProjectionExpression, FilterExpression, KeyConditionExpression}",
	} {
		requireMessage(t, message, legacy.CheckTogether(all(given, "AttributesToGet", "QueryFilter", "ConditionalOperator", legacy.KeyConditions),
			all(given, "ProjectionExpression", "FilterExpression", "KeyConditionExpression")), given)
	}
}

// TestOperands checks the number and the types of the operands of every operator, in a filter, in
// key conditions and in the condition of a write.
func TestOperands(t *testing.T) {
	t.Parallel()
	for operator, allowed := range map[string]string{
		"EQ": "S N B BOOL NULL L M SS NS BS", "NE": "S N B BOOL NULL L M SS NS BS",
		"LE": "S N B", "LT": "S N B", "GE": "S N B", "GT": "S N B", "IN": "S N B", "BETWEEN": "S N B",
		"CONTAINS": "S N B BOOL NULL", "NOT_CONTAINS": "S N B BOOL NULL", "BEGINS_WITH": "S B", "NULL": "", "NOT_NULL": "",
	} {
		check := func(message string, operands ...value.Value) {
			t.Helper()
			given := map[string]api.Condition{"x": condition(operator, operands...)}
			_, err := legacy.Filter(given, "")
			requireMessage(t, message, err, operator, operands)
			_, err = legacy.KeyCondition(given)
			requireMessage(t, message, err, operator, operands)
			expected := api.ExpectedAttributeValue{ComparisonOperator: operator, AttributeValueList: operands}
			if operands == nil {
				expected.AttributeValueList = []value.Value{}
			}
			_, err = legacy.Condition(api.Expectation{Expected: map[string]api.ExpectedAttributeValue{"x": expected}})
			requireMessage(t, message, err, operator, operands)
		}
		number := invalid + "Invalid number of argument(s) for the " + operator + " ComparisonOperator"
		counts := map[string][]string{"IN": {number, "", "", ""}, "BETWEEN": {number, number, "", number}}[operator]
		switch {
		case allowed == "":
			counts = []string{"", number, number, number}
		case counts == nil:
			counts = []string{number, "", number, number}
		}
		for n, message := range counts {
			check(message, []value.Value{a, a, a}[:n]...)
		}
		for _, v := range values {
			message := invalid + "ComparisonOperator " + operator + " is not valid for " + v.Kind().String() + " AttributeValue type"
			switch {
			case allowed == "":
				continue
			case strings.Contains(" "+allowed+" ", " "+v.Kind().String()+" "):
				message = ""
			}
			if operator == "BETWEEN" {
				check(message, v, v)
			} else {
				check(message, v)
			}
		}
	}
	for _, c := range []struct {
		condition api.Condition
		message   string
	}{
		{condition("IN", a, one), invalid + "AttributeValues inside AttributeValueList must be of same type"},
		{condition("BETWEEN", a, one), invalid + "AttributeValues inside AttributeValueList must be of same type"},
		{condition("BETWEEN", b, a), "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
		{condition("BETWEEN", a, b), ""},
	} {
		_, err := legacy.Filter(map[string]api.Condition{"x": c.condition}, "")
		requireMessage(t, c.message, err)
	}
}

// TestExpected checks what one entry may have.
func TestExpected(t *testing.T) {
	t.Parallel()
	yes, no := api.Pointer(true), api.Pointer(false)
	for _, c := range []struct {
		given   api.ExpectedAttributeValue
		message string
	}{
		{api.ExpectedAttributeValue{}, "Value must be provided when Exists is null for Attribute: x"},
		{api.ExpectedAttributeValue{Exists: yes}, "Value must be provided when Exists is true for Attribute: x"},
		{api.ExpectedAttributeValue{Exists: no, Value: a}, "Value cannot be used when Exists is false for Attribute: x"},
		{api.ExpectedAttributeValue{Exists: no}, ""},
		{api.ExpectedAttributeValue{Exists: yes, Value: a}, ""},
		{api.ExpectedAttributeValue{Value: a}, ""},
		{api.ExpectedAttributeValue{Value: a, AttributeValueList: []value.Value{a}}, "Value and AttributeValueList cannot be used together for Attribute: x"},
		{
			api.ExpectedAttributeValue{Value: a, AttributeValueList: []value.Value{}, ComparisonOperator: "EQ", Exists: yes},
			"Value and AttributeValueList cannot be used together for Attribute: x",
		},
		{api.ExpectedAttributeValue{AttributeValueList: []value.Value{a}}, "AttributeValueList can only be used with a ComparisonOperator for Attribute: x"},
		{api.ExpectedAttributeValue{AttributeValueList: []value.Value{}, Exists: yes}, "AttributeValueList can only be used with a ComparisonOperator for Attribute: x"},
		{api.ExpectedAttributeValue{Exists: yes, Value: a, ComparisonOperator: "EQ"}, "Exists and ComparisonOperator cannot be used together for Attribute: x"},
		{api.ExpectedAttributeValue{Exists: no, ComparisonOperator: "NULL"}, "Exists and ComparisonOperator cannot be used together for Attribute: x"},
		{api.ExpectedAttributeValue{ComparisonOperator: "LT"}, "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: x"},
		{api.ExpectedAttributeValue{ComparisonOperator: "NULL"}, ""},
		{api.ExpectedAttributeValue{ComparisonOperator: "NOT_NULL", AttributeValueList: []value.Value{}}, ""},
		{api.ExpectedAttributeValue{ComparisonOperator: "NULL", Value: a}, "Invalid number of argument(s) for the NULL ComparisonOperator"},
		{api.ExpectedAttributeValue{ComparisonOperator: "BETWEEN", Value: a}, "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
		{api.ExpectedAttributeValue{ComparisonOperator: "GT", Value: a}, ""},
		{api.ExpectedAttributeValue{ComparisonOperator: "GT", Value: value.Bool(true)}, "ComparisonOperator GT is not valid for BOOL AttributeValue type"},
	} {
		if c.message != "" {
			c.message = invalid + c.message
		}
		_, err := legacy.Condition(api.Expectation{Expected: map[string]api.ExpectedAttributeValue{"x": c.given}})
		requireMessage(t, c.message, err, c.given)
	}
}

// TestConditionalOperator checks that it needs two conditions. Conditions are checked first.
func TestConditionalOperator(t *testing.T) {
	t.Parallel()
	none := api.ExpectedAttributeValue{Exists: api.Pointer(false)}
	for _, operator := range []string{"AND", "OR"} {
		for _, c := range []struct {
			filter  map[string]api.Condition
			message string
		}{
			{nil, "ConditionalOperator cannot be used without Filter or Expected"},
			{map[string]api.Condition{}, "ConditionalOperator cannot be used without Filter or Expected"},
			{map[string]api.Condition{"x": condition("NULL")}, "ConditionalOperator can only be used when Filter or Expected has two or more elements"},
			{map[string]api.Condition{"x": condition("EQ")}, invalid + "Invalid number of argument(s) for the EQ ComparisonOperator"},
			{map[string]api.Condition{"x": condition("NULL"), "y": condition("NULL")}, ""},
		} {
			_, err := legacy.Filter(c.filter, operator)
			requireMessage(t, c.message, err, c.filter)
		}
		_, err := legacy.Condition(api.Expectation{ConditionalOperator: operator})
		requireMessage(t, "ConditionalOperator cannot be used without Filter or Expected", err)
		_, err = legacy.Condition(api.Expectation{ConditionalOperator: operator, Expected: map[string]api.ExpectedAttributeValue{"x": none}})
		requireMessage(t, "ConditionalOperator can only be used when Filter or Expected has two or more elements", err)

		c, err := legacy.Condition(api.Expectation{ConditionalOperator: operator, Expected: map[string]api.ExpectedAttributeValue{"x": none, "y": {Value: a}}})
		require.NoError(t, err)
		require.True(t, c.Eval(value.MapOf(value.Attribute{Name: "y", Value: a})))
		require.Equal(t, operator == "OR", c.Eval(value.MapOf(value.Attribute{Name: "y", Value: b})))
		require.False(t, c.Eval(value.MapOf(value.Attribute{Name: "x", Value: b})))
	}
	for _, empty := range []map[string]api.Condition{nil, {}} {
		c, err := legacy.Filter(empty, "")
		require.NoError(t, err)
		require.Nil(t, c)
	}
}

// TestUpdates checks what one entry of AttributeUpdates may have. DynamoDB Local has longer names
// of the types in its messages.
func TestUpdates(t *testing.T) {
	t.Parallel()
	for action, allowed := range map[string]string{
		"": "S N B BOOL NULL L M SS NS BS", "PUT": "S N B BOOL NULL L M SS NS BS", "ADD": "N L SS NS BS", "DELETE": "SS NS BS",
	} {
		absent := invalid + "Only DELETE action is allowed when no attribute value is specified"
		if action == "DELETE" {
			absent = ""
		}
		_, err := legacy.Update(map[string]api.AttributeValueUpdate{"x": {Action: action}})
		requireMessage(t, absent, err, action)
		for _, v := range values {
			message := ""
			if kind := v.Kind().String(); !strings.Contains(" "+allowed+" ", " "+kind+" ") {
				message = invalid + map[string]string{"ADD": "ADD action is", "DELETE": "DELETE action with value is"}[action] + " not supported for the type " + kind
			}
			_, err := legacy.Update(map[string]api.AttributeValueUpdate{"x": {Action: action, Value: v}})
			requireMessage(t, message, err, action, v)
		}
	}
	u, err := legacy.Update(map[string]api.AttributeValueUpdate{})
	require.NoError(t, err)
	require.Nil(t, u)

	u, err = legacy.Update(map[string]api.AttributeValueUpdate{
		"put": {Value: a}, "add": {Action: "ADD", Value: one}, "delete": {Action: "DELETE", Value: value.StringSet{"a"}}, "remove": {Action: "DELETE"}, "m.x": {Value: b},
	})
	require.NoError(t, err)
	got, err := u.Apply(value.MapOf(value.Attribute{Name: "add", Value: one}, value.Attribute{Name: "delete", Value: value.StringSet{"a", "b"}},
		value.Attribute{Name: "remove", Value: a}, value.Attribute{Name: "m", Value: value.Map{}}))
	require.NoError(t, err)
	require.Equal(t, value.MapOf(value.Attribute{Name: "put", Value: a}, value.Attribute{Name: "add", Value: value.Number{Decimal: decimal.FromInt(2)}},
		value.Attribute{Name: "delete", Value: value.StringSet{"b"}}, value.Attribute{Name: "m", Value: value.Map{}}, value.Attribute{Name: "m.x", Value: b}), got)
	_, err = u.Apply(value.MapOf(value.Attribute{Name: "delete", Value: value.NumberSet{one.Decimal}}))
	requireMessage(t, "Type mismatch for attribute to update", err)
}

// TestNames checks names of attributes in all parameters, and that the first error is that of the
// first name.
func TestNames(t *testing.T) {
	t.Parallel()
	long, tooLong := strings.Repeat("x", 65535), strings.Repeat("x", 65536)
	for name, message := range map[string]string{
		"": "Empty attribute name", tooLong: "Attribute name is too large, must be less than 65536 bytes", long: "", "a.b[0]": "", "#a": "",
	} {
		_, err := legacy.Projection([]string{name})
		requireMessage(t, message, err)
		_, err = legacy.Filter(map[string]api.Condition{name: condition("NULL")}, "")
		requireMessage(t, message, err)
		_, err = legacy.KeyCondition(map[string]api.Condition{name: condition("EQ", a)})
		requireMessage(t, message, err)
		_, err = legacy.Condition(api.Expectation{Expected: map[string]api.ExpectedAttributeValue{name: {Value: a}}})
		requireMessage(t, message, err)
		_, err = legacy.Update(map[string]api.AttributeValueUpdate{name: {Value: a}})
		requireMessage(t, message, err)
	}
	_, err := legacy.Projection([]string{"a", "b", "a"})
	requireMessage(t, invalid+"Duplicate value in attribute name: a", err)
	p, err := legacy.Projection(nil)
	require.NoError(t, err)
	require.Nil(t, p)
	for range 20 {
		_, err := legacy.Update(map[string]api.AttributeValueUpdate{"a": {Value: a}, "b": {}, "c": {Action: "ADD", Value: a}})
		requireMessage(t, invalid+"Only DELETE action is allowed when no attribute value is specified", err)
	}
}

// TestKeyConditions checks the comparisons. An operator that no key can have is rejected with the
// key of a table only.
func TestKeyConditions(t *testing.T) {
	t.Parallel()
	_, err := legacy.KeyCondition(map[string]api.Condition{})
	requireMessage(t, "Conditions must be at least length 1", err)
	k, err := legacy.KeyCondition(map[string]api.Condition{"s": condition("BETWEEN", a, b), "h": condition("EQ", a), "x": condition("NOT_NULL")})
	require.NoError(t, err)
	require.Equal(t, []expression.KeyComparison{
		{Attribute: "h", Op: expression.Equal, Operands: []value.Value{a}}, {Attribute: "s", Op: expression.Between, Operands: []value.Value{a, b}},
		{Attribute: "x", Op: expression.NotIndexable},
	}, k.Comparisons)
}

// TestManyNames checks that the time does not grow with the square of the number of names.
func TestManyNames(t *testing.T) {
	t.Parallel()
	const n = 200_000
	names, updates := make([]string, n), make(map[string]api.AttributeValueUpdate, n)
	for i := range names {
		names[i] = strings.Repeat("x", 1+i%7) + string(rune('a'+i%26)) + decimal.FromInt(int64(n-i)).String()
		updates[names[i]] = api.AttributeValueUpdate{Action: "DELETE"}
	}
	p, err := legacy.Projection(names)
	require.NoError(t, err)
	require.Len(t, p.TopLevelNames(), n)
	u, err := legacy.Update(updates)
	require.NoError(t, err)
	_, err = u.Apply(value.Map{})
	require.NoError(t, err)
}
