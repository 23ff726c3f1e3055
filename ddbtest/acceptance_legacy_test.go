package ddbtest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// Short names of the types of legacy parameters.
type (
	legacyConditions = map[string]types.Condition
	expected         = map[string]types.ExpectedAttributeValue
	legacyUpdates    = map[string]types.AttributeValueUpdate
)

// operands returns attribute values.
func operands(values ...any) (list []types.AttributeValue) {
	for _, v := range values {
		list = append(list, attr(v))
	}
	return list
}

func conditionOf(operator types.ComparisonOperator, values ...any) types.Condition {
	return types.Condition{ComparisonOperator: operator, AttributeValueList: operands(values...)}
}

// legacyCases are conditions on the attribute x, with values of x for which they are true and
// false. A nil value is an item without x.
var legacyCases = []struct {
	operator types.ComparisonOperator
	operands []any
	yes, no  []any
}{
	{"EQ", []any{1}, []any{1, num("1.0")}, []any{2, "1", nil, nums{"1"}}},
	{"EQ", []any{nums{"1", "2"}}, []any{nums{"2", "1"}}, []any{nums{"1"}, nil}},
	{"EQ", []any{[]any{1}}, []any{[]any{1}}, []any{[]any{}, nil}},
	{"EQ", []any{map[string]any{"y": 1}}, []any{map[string]any{"y": 1}}, []any{map[string]any{}, nil}},
	{"NE", []any{1}, []any{2, "1", nil}, []any{1}},
	{"LE", []any{2}, []any{1, 2}, []any{10, "1", nil}},
	{"LT", []any{"b"}, []any{"a"}, []any{"b", "c", 1, nil}},
	{"GE", []any{2}, []any{2, 10}, []any{1, nil}},
	{"GT", []any{2}, []any{10}, []any{2, 1, "x", nil}},
	{"IN", []any{1, 2, 3}, []any{2}, []any{4, "2", nil, nums{"1", "2", "3"}}},
	{"BETWEEN", []any{2, 10}, []any{2, 9, 10}, []any{1, 11, "3", nil}},
	{"NOT_NULL", nil, []any{1, "", []any{}}, []any{nil}},
	{"NULL", nil, []any{nil}, []any{1, "", []any{}}},
	{"CONTAINS", []any{"b"}, []any{"abc", texts{"a", "b"}, []any{"b"}}, []any{"ac", texts{"bc"}, []any{"abc"}, 1, nil}},
	{"CONTAINS", []any{1}, []any{nums{"1"}, []any{1}}, []any{1, "1", nil}},
	{"NOT_CONTAINS", []any{"b"}, []any{"ac", texts{"bc"}, []any{"abc"}, 1, map[string]any{"b": 1}}, []any{"abc", texts{"a", "b"}, []any{"b"}, nil}},
	{"BEGINS_WITH", []any{"a"}, []any{"a", "ab"}, []any{"ba", 1, nil, []any{"a"}}},
}

// TestLegacyComparisons checks every operator in filters and in conditions of writes. Without the
// attribute, NE is true and NOT_CONTAINS is false.
func TestLegacyComparisons(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S sk:N"), func(s *session) {
		n := 0
		check := func(operator types.ComparisonOperator, operands, value any, want bool) {
			s.Helper()
			n++
			item := row("pk", "a", "sk", n)
			if value != nil {
				item["x"] = attr(value)
			}
			s.put(item)
			c := conditionOf(operator, operands.([]any)...)
			found, err := s.client.Query(s.Context(), &dynamodb.QueryInput{
				TableName: &s.table, QueryFilter: legacyConditions{"x": c},
				KeyConditions: legacyConditions{"pk": conditionOf("EQ", "a"), "sk": conditionOf("EQ", n)},
			})
			require.NoError(s, err)
			require.Equal(s, want, found.Count == 1, "%s %v of %v", operator, operands, value)
			scanned, err := s.client.Scan(s.Context(), &dynamodb.ScanInput{
				TableName: &s.table, ConditionalOperator: "AND", ScanFilter: legacyConditions{"x": c, "sk": conditionOf("EQ", n)}, ConsistentRead: aws.Bool(true),
			})
			require.NoError(s, err)
			require.Equal(s, want, scanned.Count == 1, "%s %v of %v", operator, operands, value)
			_, err = s.client.DeleteItem(s.Context(), &dynamodb.DeleteItemInput{
				TableName: &s.table, Key: row("pk", "a", "sk", n),
				Expected: expected{"x": {ComparisonOperator: c.ComparisonOperator, AttributeValueList: c.AttributeValueList}},
			})
			if want {
				require.NoError(s, err, "%s %v of %v", operator, operands, value)
			} else {
				wantCode(s, "ConditionalCheckFailedException", err, "%s %v of %v", operator, operands, value)
			}
		}
		for _, c := range legacyCases {
			for _, value := range c.yes {
				check(c.operator, c.operands, value, true)
			}
			for _, value := range c.no {
				check(c.operator, c.operands, value, false)
			}
		}
	})
}

// TestLegacyUpdates checks the actions of AttributeUpdates. An update that only removes creates no
// item; DynamoDB Local does, which a test of update expressions has.
func TestLegacyUpdates(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		key := row("pk", "a")
		update := func(u legacyUpdates, e expected) (attributes, error) {
			out, err := s.client.UpdateItem(s.Context(), &updateInput{TableName: &s.table, Key: key, AttributeUpdates: u, Expected: e, ReturnValues: "UPDATED_NEW"})
			if err != nil {
				return nil, err
			}
			return out.Attributes, nil
		}
		add := func(v any) types.AttributeValueUpdate {
			return types.AttributeValueUpdate{Action: "ADD", Value: attr(v)}
		}
		put := func(v any) types.AttributeValueUpdate {
			return types.AttributeValueUpdate{Action: "PUT", Value: attr(v)}
		}
		remove := func(v any) types.AttributeValueUpdate {
			return types.AttributeValueUpdate{Action: "DELETE", Value: attr(v)}
		}
		got, err := update(legacyUpdates{"n": add(2), "set": add(nums{"1"}), "list": add([]any{1}), "put": put("x"), "gone": {Action: "DELETE"}, "none": remove(texts{"a"})}, nil)
		require.NoError(s, err)
		require.Equal(s, row("n", 2, "set", nums{"1"}, "list", []any{1}, "put", "x"), got, "to a missing item")

		got, err = update(legacyUpdates{"n": add(-3), "set": add(nums{"1", "2"}), "list": add([]any{1, "x"}), "put": {Action: "PUT", Value: number(1)}, "a.b": put("x")},
			expected{"n": {Value: number(2), Exists: aws.Bool(true)}, "a.b": {Exists: aws.Bool(false)}})
		require.NoError(s, err)
		require.Equal(s, row("n", -1, "set", nums{"1", "2"}, "list", []any{1, 1, "x"}, "put", 1, "a.b", "x"), got)

		got, err = update(legacyUpdates{"set": remove(nums{"1", "7"}), "put": {Action: "DELETE"}, "absent": {Action: "DELETE"}}, expected{"a.b": {Value: text("x")}})
		require.NoError(s, err)
		require.Equal(s, row("set", nums{"2"}), got)
		_, err = update(legacyUpdates{"set": remove(nums{"2"})}, nil)
		require.NoError(s, err)
		left := row("pk", "a", "n", -1, "list", []any{1, 1, "x"}, "a.b", "x")
		require.Equal(s, left, s.get(key), "an empty set is removed")

		for _, wrong := range []legacyUpdates{{"n": add(nums{"1"})}, {"list": add(1)}, {"list": remove(texts{"x"})}, {"a.b": add(1)}, {"n": remove(nums{"1"})}} {
			_, err := update(wrong, nil)
			wantCode(s, invalid, err)
			require.Equal(s, "Type mismatch for attribute to update", messageOf(err))
		}
		_, err = s.client.UpdateItem(s.Context(), &updateInput{TableName: &s.table, Key: row("pk", "b"), AttributeUpdates: legacyUpdates{"x": {Value: text("y")}}})
		require.NoError(s, err)
		if s.local { // it ignores what has no action; the API reference says that it is a PUT
			require.Equal(s, row("pk", "b"), s.get(row("pk", "b")))
		} else {
			require.Equal(s, row("pk", "b", "x", "y"), s.get(row("pk", "b")))
		}
		_, err = update(legacyUpdates{"n": add(1)}, expected{"n": {Value: number(5)}})
		wantCode(s, "ConditionalCheckFailedException", err)
		require.Equal(s, left, s.get(key), "what failed changed nothing")
	})
}

// TestLegacyUpdateSize checks that only the size of the item counts. The text of an update
// expression counts too, which no source says of AttributeUpdates.
func TestLegacyUpdateSize(t *testing.T) {
	t.Parallel()
	const most = 400 << 10
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		for size, code := range map[int]string{most: "", most + 1: invalid} {
			err := sendOnce(s.Context(), s.client, &updateInput{TableName: &s.table, Key: row("pk", "a"), AttributeUpdates: legacyUpdates{
				"x": {Action: "PUT", Value: text(strings.Repeat("x", size-len("pkax")))},
			}})
			if code == "" {
				require.NoError(s, err)
				continue
			}
			wantCode(s, code, err)
		}
	})
}

func messageOf(err error) string {
	var failure smithy.APIError
	if !errors.As(err, &failure) {
		return ""
	}
	return failure.ErrorMessage()
}

// TestAttributesToGet checks that names are plain names, and what a read returns.
func TestAttributesToGet(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S sk:N", ix{name: "local", key: "pk:S l:N", local: true}), func(s *session) {
		s.put(row("pk", "a", "sk", 1, "l", 1, "m", map[string]any{"x": 1}, "m.x", 2, "n", 3), row("pk", "a", "sk", 2))
		names := []string{"m.x", "n", "nothing"}
		want := []attributes{row("m.x", 2, "n", 3), {}}
		for i, w := range want {
			got, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: &s.table, Key: row("pk", "a", "sk", i+1), AttributesToGet: names, ConsistentRead: aws.Bool(true)})
			require.NoError(s, err)
			require.Equal(s, w, got.Item)
			require.NotNil(s, got.Item)
		}
		batch, err := s.client.BatchGetItem(s.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			s.table: {Keys: []attributes{row("pk", "a", "sk", 1), row("pk", "a", "sk", 2), row("pk", "a", "sk", 3)}, AttributesToGet: names, ConsistentRead: aws.Bool(true)},
		}})
		require.NoError(s, err)
		require.ElementsMatch(s, want, batch.Responses[s.table])
		key := legacyConditions{"pk": conditionOf("EQ", "a")}
		for _, selects := range []types.Select{"", types.SelectSpecificAttributes} {
			queried, err := s.client.Query(s.Context(), &dynamodb.QueryInput{TableName: &s.table, KeyConditions: key, AttributesToGet: names, Select: selects})
			require.NoError(s, err)
			require.Equal(s, want, queried.Items)
			scanned, err := s.client.Scan(s.Context(), &dynamodb.ScanInput{TableName: &s.table, AttributesToGet: names, Select: selects})
			require.NoError(s, err)
			require.ElementsMatch(s, want, scanned.Items)
		}
		indexed, err := s.client.Query(s.Context(), &dynamodb.QueryInput{TableName: &s.table, IndexName: aws.String("local"), KeyConditions: key, AttributesToGet: []string{"n"}})
		require.NoError(s, err)
		require.Equal(s, []attributes{row("n", 3)}, indexed.Items, "fetched from the table")
	})
}

// TestLegacyBudgets checks that budgets, rules and costs see legacy requests as others.
func TestLegacyBudgets(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client()
	cost := func(f func()) ddbtest.Cost {
		before := db.Cost()
		f()
		return db.Cost().Minus(before)
	}
	require.NoError(t, put(t.Context(), client))
	modern := cost(func() {
		in := queryInput("a")
		in.FilterExpression = aws.String("attribute_exists(nothing)")
		out, err := client.Query(t.Context(), in)
		require.NoError(t, err)
		require.Empty(t, out.Items)
	})
	legacy := cost(func() {
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String(things), KeyConditions: legacyConditions{"pk": conditionOf("EQ", "a")}, QueryFilter: legacyConditions{"nothing": conditionOf("NOT_NULL")},
		})
		require.NoError(t, err)
		require.Empty(t, out.Items)
	})
	require.Equal(t, modern, legacy)
	rule := db.Fail(ddbtest.Op("UpdateItem"), ddbtest.OnKey(thing("a", 1)), ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Times(1))
	_, err := client.UpdateItem(t.Context(), &updateInput{TableName: aws.String(things), Key: thing("a", 1), AttributeUpdates: legacyUpdates{
		"counted": {Action: "ADD", Value: number(1)},
	}})
	require.NoError(t, err, "the client retries")
	require.Equal(t, 1, rule.Hits())
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(things), Key: thing("a", 1), AttributesToGet: []string{"counted"}})
	require.NoError(t, err)
	require.Equal(t, attributes{"counted": number(2)}, out.Item, "a lost reply counts twice, as with an expression")
}

// legacyFailure is an invalid request, and what DynamoDB Local replies if it is another message.
type legacyFailure struct {
	input   any
	message string
	local   string // a part of another message of DynamoDB Local, or "accepted"
}

// TestLegacyMessages compares the messages with those of DynamoDB Local. Where it differs, they are
// replies of the service that public engines captured.
func TestLegacyMessages(t *testing.T) {
	t.Parallel()
	const one = "1 validation error detected: Value "
	const wrong = "One or more parameter values were invalid: "
	const mixed = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {"
	key, name := legacyConditions{"pk": conditionOf("EQ", "a")}, aws.String("rows")
	pair := legacyConditions{"a": conditionOf("NULL"), "b": conditionOf("NULL")}
	put := func(e expected, operator types.ConditionalOperator) *dynamodb.PutItemInput {
		return &dynamodb.PutItemInput{TableName: name, Item: row("pk", "a", "sk", 1), Expected: e, ConditionalOperator: operator}
	}
	change := func(u legacyUpdates) *updateInput {
		return &updateInput{TableName: name, Key: row("pk", "a", "sk", 1), AttributeUpdates: u}
	}
	with := func(more legacyConditions) *dynamodb.QueryInput {
		return &dynamodb.QueryInput{TableName: name, KeyConditions: merged(key, more)}
	}
	failures := []legacyFailure{
		{&dynamodb.QueryInput{TableName: name, KeyConditions: key, KeyConditionExpression: aws.String("pk = :p"), ExpressionAttributeValues: row(":p", "a")},
			mixed + "KeyConditions} Expression parameters: {KeyConditionExpression}", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: key, QueryFilter: pair, ProjectionExpression: aws.String("a")},
			mixed + "QueryFilter} Expression parameters: {ProjectionExpression}", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: key, QueryFilter: legacyConditions{}, ProjectionExpression: aws.String("a")},
			mixed + "QueryFilter} Expression parameters: {ProjectionExpression}", "accepted"},
		{&dynamodb.ScanInput{TableName: name, AttributesToGet: []string{"a"}, FilterExpression: aws.String("attribute_exists(a)")},
			mixed + "AttributesToGet} Expression parameters: {FilterExpression}", ""},
		{&dynamodb.ScanInput{TableName: name, ConditionalOperator: "OR", ScanFilter: pair, FilterExpression: aws.String("attribute_exists(a)"), ProjectionExpression: aws.String("a")},
			mixed + "ScanFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}", ""},
		{&updateInput{TableName: name, Key: row("pk", "a", "sk", 1), Expected: expected{"a": {Exists: aws.Bool(false)}}, UpdateExpression: aws.String("REMOVE a")},
			mixed + "Expected} Expression parameters: {UpdateExpression}", ""},
		{&dynamodb.GetItemInput{TableName: name, Key: row("pk", "a", "sk", 1), AttributesToGet: []string{"a"}, ProjectionExpression: aws.String("a")},
			mixed + "AttributesToGet} Expression parameters: {ProjectionExpression}", ""},
		{&dynamodb.ScanInput{TableName: name, ConditionalOperator: "OR"}, "ConditionalOperator cannot be used without Filter or Expected", ""},
		{put(expected{}, "AND"), "ConditionalOperator cannot be used without Filter or Expected", ""},
		{put(expected{"a": {Exists: aws.Bool(false)}}, "AND"), "ConditionalOperator can only be used when Filter or Expected has two or more elements", ""},
		{&dynamodb.ScanInput{TableName: name, ConditionalOperator: "XOR", ScanFilter: pair},
			one + "'XOR' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]", "internal"},
		{&dynamodb.ScanInput{TableName: name, ScanFilter: legacyConditions{"a": conditionOf("eq", 1)}}, one + "'eq' at 'scanFilter.a.member.comparisonOperator' failed to satisfy " +
			"constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]", "does not exist"},
		{put(expected{"a": {}}, ""), wrong + "Value must be provided when Exists is null for Attribute: a", ""},
		{put(expected{"a": {Exists: aws.Bool(true)}}, ""), wrong + "Value must be provided when Exists is true for Attribute: a", ""},
		{put(expected{"a": {Exists: aws.Bool(false), Value: number(1)}}, ""), wrong + "Value cannot be used when Exists is false for Attribute: a", ""},
		{put(expected{"a": {Value: number(1), AttributeValueList: operands(1)}}, ""), wrong + "Value and AttributeValueList cannot be used together for Attribute: a", ""},
		{put(expected{"a": {AttributeValueList: operands(1)}}, ""), wrong + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a", ""},
		{put(expected{"a": {ComparisonOperator: "EQ", Exists: aws.Bool(true), Value: number(1)}}, ""), wrong + "Exists and ComparisonOperator cannot be used together for Attribute: a", ""},
		{put(expected{"a": {ComparisonOperator: "EQ"}}, ""), wrong + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a", ""},
		{put(expected{"a": {ComparisonOperator: "IN", AttributeValueList: operands(1, "a")}}, ""), wrong + "AttributeValues inside AttributeValueList must be of same type", ""},
		{put(expected{"a": {ComparisonOperator: "BETWEEN", AttributeValueList: operands(2, 1)}}, ""),
			"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound", ""},
		{put(expected{"a": {ComparisonOperator: "BEGINS_WITH", AttributeValueList: operands(1)}}, ""), wrong + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type", ""},
		{put(expected{"a": {ComparisonOperator: "EQ", AttributeValueList: operands(1, 1)}}, ""), wrong + "Invalid number of argument(s) for the EQ ComparisonOperator", ""},
		{put(expected{"": {Value: number(1)}}, ""), "Empty attribute name", ""},
		{change(legacyUpdates{"a": {}}), wrong + "Only DELETE action is allowed when no attribute value is specified", ""},
		{change(legacyUpdates{"a": {Action: "ADD", Value: text("x")}}), wrong + "ADD action is not supported for the type S", "type STRING"},
		{change(legacyUpdates{"a": {Action: "DELETE", Value: number(1)}}), wrong + "DELETE action with value is not supported for the type N", "type NUMBER"},
		{change(legacyUpdates{"a": {Action: "put", Value: number(1)}}), one + "'put' at 'attributeUpdates.a.member.action' failed to satisfy constraint: " +
			"Member must satisfy enum value set: [ADD, DELETE, PUT]", "Member must satisfy enum value set: [ADD, DELETE, PUT]"},
		{change(legacyUpdates{"pk": {Action: "DELETE"}}), wrong + "Cannot update attribute pk. This attribute is part of the key", ""},
		{change(legacyUpdates{"": {Value: number(1)}}), "Empty attribute name", ""},
		{change(legacyUpdates{strings.Repeat("x", 65536): {Value: number(1)}}), "Attribute name is too large, must be less than 65536 bytes", ""},
		{change(legacyUpdates{"g": {Action: "PUT", Value: number(1)}}), wrong + "Type mismatch for Index Key g Expected: S Actual: N IndexName: keys", "Type mismatch for Index Key"},
		{&dynamodb.QueryInput{TableName: name}, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: legacyConditions{}}, "Conditions must be at least length 1", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: legacyConditions{"sk": conditionOf("EQ", 1)}}, "Query condition missed key schema element: pk", "missed key schema element"},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: legacyConditions{"pk": conditionOf("NE", "a")}}, "Attempted conditional constraint is not an indexable operation", "not supported"},
		{with(legacyConditions{"sk": conditionOf("IN", 1)}), "Attempted conditional constraint is not an indexable operation", ""},
		{with(legacyConditions{"sk": conditionOf("NE", 1)}), "Attempted conditional constraint is not an indexable operation", "internal"},
		{with(legacyConditions{"sk": conditionOf("EQ", "a")}), wrong + "Condition parameter type does not match schema type", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: key, QueryFilter: legacyConditions{"sk": conditionOf("EQ", 1)}},
			"QueryFilter can only contain non-primary key attributes: Primary key attribute: sk", ""},
		{&dynamodb.QueryInput{TableName: name, IndexName: aws.String("keys"), KeyConditions: legacyConditions{"g": conditionOf("EQ", "a")}, QueryFilter: legacyConditions{"n": conditionOf("EQ", 1)}},
			wrong + "Secondary index keys does not project one or more filter attributes: [n]", ""},
		{&dynamodb.QueryInput{TableName: name, IndexName: aws.String("keys"), KeyConditions: legacyConditions{"g": conditionOf("EQ", "a")}, AttributesToGet: []string{"n"}},
			wrong + "Global secondary index keys does not project [n]", ""},
		{&dynamodb.ScanInput{TableName: name, AttributesToGet: []string{"n", "n"}}, wrong + "Duplicate value in attribute name: n", "two attributes with the same name"},
		{&dynamodb.ScanInput{TableName: name, AttributesToGet: []string{}}, one + "'[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1", "accepted"},
		{&dynamodb.ScanInput{TableName: name, AttributesToGet: []string{"n"}, Select: "ALL_ATTRIBUTES"}, "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES", ""},
		{&dynamodb.ScanInput{TableName: name, AttributesToGet: []string{"n"}, Select: "COUNT"}, "Cannot specify the AttributesToGet when choosing to get COUNT", "only the Count"},
		{&dynamodb.ScanInput{TableName: name, ScanFilter: pair, ExpressionAttributeNames: map[string]string{"#a": "a"}}, "ExpressionAttributeNames can only be specified when using expressions", ""},
		{&dynamodb.QueryInput{TableName: name, KeyConditions: key, ExpressionAttributeValues: row(":a", 1)},
			"ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null", ""},
	}
	onEveryEngine(t, tableOf("pk:S sk:N", ix{name: "keys", key: "g:S"}), func(s *session) {
		s.put(row("pk", "a", "sk", 1, "a", 1))
		for _, f := range failures {
			err := sendOnce(s.Context(), s.client, f.input)
			switch {
			case s.local && f.local == "accepted":
				require.NoError(s, err, f.message)
			case s.local && f.local == "internal":
				require.Error(s, err, f.message)
			case s.local && f.local != "":
				wantCode(s, invalid, err)
				require.Contains(s, messageOf(err), f.local)
				require.NotEqual(s, f.message, messageOf(err), "the difference has gone")
			default:
				wantCode(s, invalid, err, f.message)
				require.Equal(s, f.message, messageOf(err))
			}
		}
		for _, accepted := range []any{
			with(nil), &dynamodb.QueryInput{TableName: name, KeyConditions: key, FilterExpression: aws.String("attribute_exists(a)")},
			&dynamodb.QueryInput{TableName: name, KeyConditions: key, ProjectionExpression: aws.String("a")},
			&dynamodb.ScanInput{TableName: name, ConditionalOperator: "OR", ScanFilter: pair},
		} {
			require.NoError(s, sendOnce(s.Context(), s.client, accepted), "the control")
		}
	})
}

func merged(a, b legacyConditions) legacyConditions {
	all := legacyConditions{}
	for _, m := range []legacyConditions{a, b} {
		for name, c := range m {
			all[name] = c
		}
	}
	return all
}

// sendOnce sends a request without retries and returns its error.
func sendOnce(ctx context.Context, c *dynamodb.Client, input any) (err error) {
	once := func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		_, err = c.PutItem(ctx, in, once)
	case *dynamodb.UpdateItemInput:
		_, err = c.UpdateItem(ctx, in, once)
	case *dynamodb.GetItemInput:
		_, err = c.GetItem(ctx, in, once)
	case *dynamodb.QueryInput:
		_, err = c.Query(ctx, in, once)
	case *dynamodb.ScanInput:
		_, err = c.Scan(ctx, in, once)
	default:
		err = fmt.Errorf("no operation has a %T", in)
	}
	return err
}

// legacy sends a random request with legacy parameters.
func (s *workload) legacy(r *rand.Rand) error { return s.legacyOf(r.IntN(legacyKinds), r) }

const legacyKinds = 5

// legacyOf sends a request of one kind. All kinds together have each legacy parameter.
func (s *workload) legacyOf(kind int, r *rand.Rand) error {
	table, key := anyTable(r), randomKey(r)
	switch kind {
	case 0:
		return sendOnce(s.Context(), s.client, &dynamodb.GetItemInput{TableName: table, Key: key, AttributesToGet: []string{"x", "u"}})
	case 1:
		return sendOnce(s.Context(), s.client, &dynamodb.QueryInput{
			TableName: table, KeyConditions: legacyConditions{"pk": conditionOf("EQ", "a"), "sk": conditionOf("GE", r.IntN(3))},
			QueryFilter: legacyConditions{"u": conditionOf("LT", 2), "x": conditionOf("NOT_NULL")}, ConditionalOperator: "OR",
		})
	case 2:
		return sendOnce(s.Context(), s.client, &dynamodb.ScanInput{TableName: table, ScanFilter: legacyConditions{"x": conditionOf("IN", 0, 1)}})
	case 3:
		return sendOnce(s.Context(), s.client, &dynamodb.PutItemInput{TableName: table, Item: randomRow(r), Expected: expected{"u": {Exists: aws.Bool(false)}}})
	default:
		return sendOnce(s.Context(), s.client, &updateInput{TableName: table, Key: key, ReturnValues: "UPDATED_OLD", AttributeUpdates: legacyUpdates{
			"n": {Action: "ADD", Value: number(1)}, "u": {Action: "DELETE"}, "v": {Action: "PUT", Value: text("x")},
		}, Expected: expected{"x": {ComparisonOperator: "NE", Value: number(r.IntN(3))}}})
	}
}
