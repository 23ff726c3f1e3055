package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestLegacyWrites checks messages and the order of the checks: parameters that are mixed, the size
// of an item to put, AttributeUpdates, Expected, the table and the key. Public engines captured it
// from the service; DynamoDB Local checks the table first, and Expected before AttributeUpdates. A
// rejected write changes nothing.
func TestLegacyWrites(t *testing.T) {
	t.Parallel()
	key := of("pk", "a", "sk", "b")
	was := of("pk", "a", "sk", "b", "n", 1, "s", "x", "ss", value.StringSet{"a", "b"})
	const invalid = "One or more parameter values were invalid: "
	const noValue = invalid + "Only DELETE action is allowed when no attribute value is specified"
	const notExpected = invalid + "Value must be provided when Exists is null for Attribute: x"
	wrongExpected := api.Expectation{Expected: map[string]api.ExpectedAttributeValue{"x": {}}}
	wrongUpdates := map[string]api.AttributeValueUpdate{"x": {}}
	put := func(name string, v value.Value) map[string]api.AttributeValueUpdate {
		return map[string]api.AttributeValueUpdate{name: {Value: v}}
	}
	for _, c := range []struct {
		write   Write
		message string
	}{
		{Write{Kind: UpdateKind, Updates: wrongUpdates, Expectation: wrongExpected, Condition: pointer("(")}, "Can not use both expression and non-expression " +
			"parameters in the same request: Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: {ConditionExpression}"},
		{Write{Kind: UpdateKind, Updates: map[string]api.AttributeValueUpdate{}, Update: pointer("REMOVE x")}, "Can not use both expression and non-expression " +
			"parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}"},
		{Write{Kind: PutKind, Expectation: api.Expectation{ConditionalOperator: "OR"}, Condition: pointer("a = a")}, "Can not use both expression and " +
			"non-expression parameters in the same request: Non-expression parameters: {ConditionalOperator} Expression parameters: {ConditionExpression}"},
		{Write{Kind: UpdateKind, Updates: wrongUpdates, Names: map[string]string{"#x": "x"}}, "ExpressionAttributeNames can only be specified when using expressions"},
		{Write{Kind: UpdateKind, Updates: wrongUpdates, Values: values(":x", 1)},
			"ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"},
		{Write{Kind: UpdateKind, TableName: "nowhere", Updates: wrongUpdates, Expectation: wrongExpected}, noValue},
		{Write{Kind: UpdateKind, TableName: "nowhere", Expectation: wrongExpected}, notExpected},
		{Write{Kind: DeleteKind, Item: of("pk", "a"), Expectation: wrongExpected}, notExpected},
		{Write{Kind: PutKind, Item: key.With("x", value.String(strings.Repeat("x", 400<<10))), Expectation: wrongExpected}, "Item size has exceeded the maximum allowed size"},
		{Write{Kind: UpdateKind, Expectation: api.Expectation{ConditionalOperator: "AND"}}, "ConditionalOperator cannot be used without Filter or Expected"},
		{Write{Kind: UpdateKind, Updates: put("sk", value.String("c"))}, invalid + "Cannot update attribute sk. This attribute is part of the key"},
		{Write{Kind: UpdateKind, Updates: map[string]api.AttributeValueUpdate{"pk": {Action: "DELETE"}}}, invalid + "Cannot update attribute pk. This attribute is part of the key"},
		{Write{Kind: UpdateKind, Updates: put("g", value.Bool(true))}, invalid + "Type mismatch for Index Key g Expected: S Actual: BOOL IndexName: keys"},
		{Write{Kind: UpdateKind, Updates: map[string]api.AttributeValueUpdate{"s": {Action: "ADD", Value: of("x", 1).Get("x")}}}, "Type mismatch for attribute to update"},
		{Write{Kind: UpdateKind, Updates: map[string]api.AttributeValueUpdate{"ss": {Action: "DELETE", Value: value.BinarySet{"a"}}}}, "Type mismatch for attribute to update"},
		{Write{Kind: UpdateKind, Updates: put("x", value.String(strings.Repeat("x", 400<<10)))}, "Item size to update has exceeded the maximum allowed size"},
	} {
		db := newDB(t)
		keep(t, db, indexed, was)
		if c.write.TableName == "" {
			c.write.TableName = indexed
		}
		if c.write.Item == nil {
			c.write.Item = key
		}
		_, err := run(db, c.write, "")
		requireServiceError(t, awserr.CodeValidation, c.message, err)
		require.Equal(t, was, stored(t, db, indexed, key))
	}

	db := newDB(t)
	keep(t, db, indexed, was)
	_, err := run(db, Write{Kind: DeleteKind, TableName: indexed, Item: key, OnFailure: "ALL_OLD", Expectation: api.Expectation{
		Expected: map[string]api.ExpectedAttributeValue{"n": {Exists: api.Pointer(false)}},
	}}, "")
	requireServiceError(t, awserr.CodeConditionalFailed, "The conditional request failed", err)
	out, err := run(db, Write{Kind: UpdateKind, TableName: indexed, Item: key, Updates: map[string]api.AttributeValueUpdate{
		"n": {Action: "ADD", Value: of("x", 2).Get("x")}, "s": {Action: "DELETE"}, "ss": {Action: "DELETE", Value: value.StringSet{"a", "c"}}, "x.y": {Value: value.Bool(true)},
	}, Expectation: api.Expectation{Expected: map[string]api.ExpectedAttributeValue{"n": {Value: of("x", 1).Get("x")}}}}, "UPDATED_NEW")
	require.NoError(t, err)
	require.Equal(t, of("n", 3, "ss", value.StringSet{"b"}, "x.y", value.Bool(true)), out.Attributes)

	for _, c := range []struct {
		updates map[string]api.AttributeValueUpdate
		creates bool
	}{
		{map[string]api.AttributeValueUpdate{}, true},
		{map[string]api.AttributeValueUpdate{"x": {Action: "DELETE"}}, false},
		{map[string]api.AttributeValueUpdate{"x": {Action: "DELETE", Value: value.StringSet{"a"}}}, false},
		{map[string]api.AttributeValueUpdate{"x": {Action: "ADD", Value: value.List{}}}, true},
		{map[string]api.AttributeValueUpdate{"x": {Action: "DELETE"}, "y": {Value: value.Null{}}}, true},
	} {
		other := of("pk", "a", "sk", "other")
		db := newDB(t)
		_, err := run(db, Write{Kind: UpdateKind, TableName: indexed, Item: other, Updates: c.updates}, "")
		require.NoError(t, err)
		require.Equal(t, c.creates, stored(t, db, indexed, other) != nil, "an update that only removes makes no item: %v", c.updates)
	}
}
