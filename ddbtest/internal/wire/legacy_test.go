package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/ddbtest/internal/wire"
)

// The legacy parameters are read with their values. A null member is absent, also inside them.
func TestLegacyMembers(t *testing.T) {
	t.Parallel()
	const one, failed = "1 validation error detected: ", " failed to satisfy constraint: "
	var in api.UpdateItemInput
	require.NoError(t, wire.Decode([]byte(`{"TableName":"abc","Key":{},"AttributeUpdates":{},"ConditionalOperator":null,"Expected":{
		"a":{"Exists":false,"Value":null,"ComparisonOperator":null},"b":{"AttributeValueList":[{"S":"x"},{"L":[{"N":"1.0"}]}],"ComparisonOperator":"IN"}}}`), &in))
	require.Equal(t, map[string]api.ExpectedAttributeValue{
		"a": {Exists: api.Pointer(false)},
		"b": {AttributeValueList: []value.Value{value.String("x"), value.List{value.Number{Decimal: decimal.FromInt(1)}}}, ComparisonOperator: "IN"},
	}, in.Expected)
	require.NotNil(t, in.AttributeUpdates)
	require.Empty(t, in.ConditionalOperator)
	checkErrors(t, awserr.CodeValidation, decode[api.UpdateItemInput], []requestError{
		{
			`{"TableName":"abc","Key":{},"ConditionalOperator":"AN"}`,
			one + "Value 'AN' at 'conditionalOperator'" + failed + "Member must satisfy enum value set: [OR, AND]",
		},
		{
			`{"TableName":"abc","Key":{},"AttributeUpdates":{"a":{"Action":"put"}}}`,
			one + "Value 'put' at 'attributeUpdates.a.member.action'" + failed + "Member must satisfy enum value set: [ADD, DELETE, PUT]",
		},
		{`{"TableName":"abc","Key":{},"Expected":{"a":null}}`, one + "Value null at 'expected.a.member'" + failed + "Member must not be null"},
		{`{"TableName":"abc","Key":{},"AttributeUpdates":{"a":{"Value":{}}}}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{`{"TableName":"abc","Key":{},"Expected":{"a":{"Value":{"N":"x"}}}}`, "The parameter cannot be converted to a numeric value: x"},
	})
	checkErrors(t, awserr.CodeValidation, decode[api.ScanInput], []requestError{
		{
			`{"TableName":"abc","ScanFilter":{"a":{}}}`,
			one + "Value null at 'scanFilter.a.member.comparisonOperator'" + failed + "Member must not be null",
		},
		{
			`{"TableName":"abc","ScanFilter":{"a":{"ComparisonOperator":""}}}`, one + "Value '' at 'scanFilter.a.member.comparisonOperator'" + failed +
				"Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]",
		},
		{
			`{"TableName":"abc","AttributesToGet":[]}`,
			one + "Value '[]' at 'attributesToGet'" + failed + "Member must have length greater than or equal to 1",
		},
	})
	for _, body := range []string{
		`{"Expected":1}`, `{"Expected":{"a":1}}`, `{"Expected":{"a":{"Value":1}}}`, `{"Expected":{"a":{"Value":"x"}}}`, `{"Expected":{"a":{"AttributeValueList":{}}}}`,
		`{"Expected":{"a":{"AttributeValueList":[1]}}}`, `{"Expected":{"a":{"Exists":{}}}}`, `{"Expected":{"a":{},"a":{}}}`, `{"AttributeUpdates":[]}`,
		`{"AttributeUpdates":{"a":{"Value":{"S":"a"},"Value":{"S":"a"}}}}`, `{"ConditionalOperator":1}`,
	} {
		require.Equal(t, awserr.CodeSerialization, rejects(t, decode[api.UpdateItemInput](body)).Code, "%s", body)
	}
}
