package service_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/internal/testsize"
)

// hostile is an expensive request of a given size. It may use the table things, which exists.
type hostile struct {
	operation string
	body      func(n int) string
	n         int // a thousand, or a number of equal cost
}

// list joins n texts, each with its number.
func list(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(texts, ",")
}

var hostiles = map[string]hostile{
	"conditions of a statement": {"ExecuteStatement", func(n int) string {
		return `{"Statement":"SELECT * FROM things WHERE ` + strings.Repeat("pk='a' OR ", n) + `pk='a'"}`
	}, 100},
	"parentheses of a statement": {"ExecuteStatement", func(n int) string {
		return `{"Statement":"SELECT * FROM things WHERE ` + strings.Repeat("(", n) + `pk='a'` + strings.Repeat(")", n) + `"}`
	}, 500},
	"nested values of a statement": {"ExecuteStatement", func(n int) string {
		return `{"Statement":"SELECT * FROM things WHERE pk=` + strings.Repeat("[", n) + strings.Repeat("<<", n) + `"}`
	}, 500},
	"parameters": {"ExecuteStatement", func(n int) string {
		return `{"Statement":"SELECT * FROM things WHERE pk=?","Parameters":[` + list(n, `{"S":"%d"}`) + `]}`
	}, 1_000},
	"statements of a batch": {"BatchExecuteStatement", func(n int) string {
		return `{"Statements":[` + list(n, `{"Statement":"DELETE FROM things WHERE pk='%d'"}`) + `]}`
	}, 1_000},
	"definitions of a new table": {"CreateTable", func(n int) string {
		return `{"TableName":"other","KeySchema":[{"AttributeName":"a0","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
			"AttributeDefinitions":[` + list(n, `{"AttributeName":"a%d","AttributeType":"S"}`) + `]}`
	}, 1_000},
	"indexes of a new table": {"CreateTable", func(n int) string {
		return `{"TableName":"other","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
			"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"GlobalSecondaryIndexes":[` +
			list(n, `{"IndexName":"iii%d","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}`) + `]}`
	}, 1_000},
	"definitions of a new index": {"UpdateTable", func(n int) string {
		return `{"TableName":"things","GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"iii","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
			"Projection":{"ProjectionType":"ALL"}}}],"AttributeDefinitions":[` + list(n, `{"AttributeName":"a%d","AttributeType":"S"}`) + `]}`
	}, 1_000},
	"updates of indexes": {"UpdateTable", func(n int) string {
		return `{"TableName":"things","GlobalSecondaryIndexUpdates":[` + list(n, `{"Delete":{"IndexName":"iii%d"}}`) + `]}`
	}, 1_000},
	"tags": {"TagResource", func(n int) string {
		return `{"ResourceArn":"` + arn + `","Tags":[` + list(n, `{"Key":"k%d","Value":"v"}`) + `]}`
	}, 1_000},
	"names that nothing uses": {"GetItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"a"}},"ProjectionExpression":"x","ExpressionAttributeNames":{` + list(n, `"#n%d":"n"`) + `}}`
	}, 1_000},
	"values that nothing uses": {"Scan", func(n int) string {
		return `{"TableName":"things","FilterExpression":"attribute_exists(x)","ExpressionAttributeValues":{` + list(n, `":v%d":{"S":"v"}`) + `}}`
	}, 1_000},
	"attributes": {"PutItem", func(n int) string {
		return `{"TableName":"things","Item":{"pk":{"S":"a"},` + list(n, `"a%d":{"BOOL":true}`) + `}}`
	}, 1_000},
	"members of sets": {"UpdateItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"a"}},"UpdateExpression":"ADD s :s, n :n DELETE t :s","ExpressionAttributeValues":{":s":{"SS":[` +
			list(n, `"%d"`) + `]},":n":{"NS":[` + list(n, `"%d"`) + `]}}}`
	}, 1_000},
	"elements of lists": {"UpdateItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET l = list_append(:l, :l)","ConditionExpression":"NOT contains(:l, :v)",
			"ExpressionAttributeValues":{":v":{"S":"v"},":l":{"L":[` + list(n, `{"BOOL":true}`) + `]}}}`
	}, 1_000},
	"keys to get": {"BatchGetItem", func(n int) string {
		return `{"RequestItems":{"things":{"Keys":[` + list(n, `{"pk":{"S":"%d"}}`) + `]}}}`
	}, 1_000},
	"tables to get from": {"BatchGetItem", func(n int) string {
		return `{"RequestItems":{` + list(n, `"table%d":{"Keys":[{"pk":{"S":"a"}}]}`) + `}}`
	}, 1_000},
	"an expression": {"Scan", func(n int) string {
		return `{"TableName":"things","FilterExpression":"` + strings.Repeat("a = a OR NOT (", n) + `"}`
	}, 1_000},
	"nested values": {"PutItem", func(n int) string {
		return `{"TableName":"things","Item":{"pk":{"S":"a"},"l":` + strings.Repeat(`{"L":[`, n) + strings.Repeat(`]}`, n) + `}}`
	}, 1_000},
	"a key that is a text": {"GetItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"` + strings.Repeat("é\\u0000", n) + `"}}}`
	}, 1_000},
	"names to get": {"GetItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"a"}},"AttributesToGet":[` + list(n, `"a%d"`) + `]}`
	}, 1_000},
	"legacy conditions": {"Scan", func(n int) string {
		return `{"TableName":"things","ConditionalOperator":"OR","ScanFilter":{` +
			list(n, `"a%d":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"a"},{"S":"b"}]}`) + `}}`
	}, 1_000},
	"legacy key conditions": {"Query", func(n int) string {
		return `{"TableName":"things","KeyConditions":{` + list(n, `"a%d":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}`) + `}}`
	}, 1_000},
	"legacy updates": {"UpdateItem", func(n int) string {
		return `{"TableName":"things","Key":{"pk":{"S":"a"}},"AttributeUpdates":{` + list(n, `"a%d":{"Action":"DELETE"}`) + `},"Expected":{` +
			list(n, `"b%d":{"Exists":false}`) + `}}`
	}, 1_000},
	"actions": {"TransactWriteItems", func(n int) string {
		return `{"TransactItems":[` + list(n, `{"Delete":{"TableName":"things","Key":{"pk":{"S":"%d"}}}}`) + `]}`
	}, 1_000},
}

// TestHostileRequests sends very large requests. None of them may cause an internal error.
func TestHostileRequests(t *testing.T) {
	f := newFixture()
	f.mustSend(t, "CreateTable", createThing, "things", "")
	for name, h := range hostiles {
		if _, err := f.send(h.operation, "%s", h.body(testsize.Pick(8, 64)*h.n)); err != nil {
			var serviceErr *awserr.Error
			require.ErrorAs(t, err, &serviceErr, name)
		}
	}
}

// BenchmarkHostileRequests shows that the time grows linearly, not quadratically: eight times the
// size takes about eight times as long.
func BenchmarkHostileRequests(b *testing.B) {
	f := newFixture()
	f.mustSend(b, "CreateTable", createThing, "things", "")
	for _, name := range slices.Sorted(maps.Keys(hostiles)) {
		h := hostiles[name]
		for _, n := range []int{h.n, 8 * h.n} {
			body := h.body(n)
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				for b.Loop() {
					_, _ = f.send(h.operation, "%s", body)
				}
			})
		}
	}
}
