package clause_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// evaluator reports whether an item fulfills a condition.
type evaluator func(p clause.Pred, it item) bool

func evaluate(p clause.Pred, it item) bool { return p.Holds(it) }

// asText evaluates numbers as their text, as a naive evaluator does.
func asText(p clause.Pred, it item) bool {
	l := clause.Replaced([]clause.Clause{{Pred: p}}, func(v av) av {
		if n, ok := v.(*types.AttributeValueMemberN); ok {
			return text(n.Value)
		}
		return v
	})
	return l[0].Pred.Holds(spelled(it))
}

// spelled returns values with each number as text.
func spelled(values item) item {
	out := item{}
	for name, v := range values {
		if n, ok := v.(*types.AttributeValueMemberN); ok {
			v = &types.AttributeValueMemberS{Value: n.Value}
		}
		out[name] = v
	}
	return out
}

// Random conditions are evaluated as the engine evaluates their expressions in a scan.
func TestConditionsHoldAsInDynamoDB(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		require.Zero(t, differences(t, e, evaluate))
	})
}

func TestNegativeControlNumbersAreNotText(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		require.NotZero(t, differences(t, e, asText))
	})
}

// operators are the words of expressions, each of which is used at least once.
var operators = []string{
	"AND", "OR", "NOT", "IN", "BETWEEN", "=", "<>", "<", "<=", ">", ">=", "size", "contains", "begins_with", "attribute_type",
	"attribute_exists", "attribute_not_exists",
}

// differences returns how many items an evaluator classifies unlike the engine.
func differences(t *testing.T, e engines.Engine, matches evaluator) (n int) {
	t.Helper()
	client := e.Client(t)
	r := testrand.New(t)
	stored := fill(t, client, func() item {
		it := item{}
		for _, name := range attributes {
			if r.IntN(4) > 0 {
				it[name] = randomValue(r, 1)
			}
		}
		return it
	})
	used, sent, size := map[string]int{}, 0, testsize.Pick(150, 300, 20000)
	unused := func() bool { return slices.ContainsFunc(operators, func(word string) bool { return used[word] == 0 }) }
	for tried := 0; tried < size || unused() && tried < 20*size; tried++ {
		p, b := condition(r, 2), expr.NewBuilder()
		text := string(p.Render(nil, b))
		in := &dynamodb.ScanInput{TableName: aws.String("table"), FilterExpression: &text, ExpressionAttributeNames: b.Names(), ExpressionAttributeValues: b.Values()}
		out, err := client.Scan(t.Context(), in)
		if api := smithy.APIError(nil); errors.As(err, &api) && api.ErrorCode() == "ValidationException" {
			continue // such as an operand of a type that the operator refuses
		}
		require.NoError(t, err, text)
		sent++
		operatorsIn(text, used)
		wanted := map[string]bool{}
		for _, it := range out.Items {
			wanted[id(it)] = true
		}
		for _, it := range stored {
			if matches(p, it) != wanted[id(it)] {
				n++
				t.Logf("%s %s: the engine says %t for %s", text, dump(b.Values()), wanted[id(it)], dump(it))
			}
		}
	}
	require.Greater(t, sent, size/3, "most expressions are valid")
	require.False(t, unused(), used)
	return n
}

// fill stores items in a new table and returns them as they are read.
func fill(t *testing.T, client *dynamodb.Client, next func() item) []item {
	t.Helper()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("table"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: "HASH"}},
	})
	require.NoError(t, err)
	for i := range 40 {
		it := next()
		it["id"] = text(fmt.Sprintf("i%d", i))
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"), Item: it})
		require.NoError(t, err)
	}
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("table")})
	require.NoError(t, err)
	return out.Items
}

func id(it item) string { return it["id"].(*types.AttributeValueMemberS).Value }

func dump(it item) string {
	text, _ := json.Marshal(it)
	return string(text)
}
