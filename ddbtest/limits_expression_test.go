package ddbtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// kindOfExpression is the purpose of an expression.
type kindOfExpression int

const (
	conditions kindOfExpression = iota
	updates
	keys
	projections
)

// expressionText is an expression with its names and values.
type expressionText struct {
	text   string
	names  map[string]string
	values attributes
}

// minimal returns a short expression with each placeholder that its kind allows. Its result does
// not depend on stored items.
func (k kindOfExpression) minimal(name, value string) expressionText {
	switch k {
	case updates:
		return expressionText{"SET " + name + " = " + value, map[string]string{name: "b"}, attributes{value: text("w")}}
	case keys:
		return expressionText{name + " = " + value, map[string]string{name: "pk"}, attributes{value: text("v")}}
	case projections:
		return expressionText{name, map[string]string{name: "a"}, nil}
	default:
		return expressionText{name + " <> " + value, map[string]string{name: "a"}, attributes{value: text("v")}}
	}
}

// expressionRequests lists all requests that have an expression.
var expressionRequests = map[string]struct {
	kind kindOfExpression
	send func(*session, expressionText) error
}{
	"PutItem": {conditions, func(s *session, w expressionText) error {
		_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{
			TableName: &s.table, Item: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"DeleteItem": {conditions, func(s *session, w expressionText) error {
		_, err := s.client.DeleteItem(s.Context(), &dynamodb.DeleteItemInput{
			TableName: &s.table, Key: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"UpdateItem's condition": {conditions, func(s *session, w expressionText) error {
		_, err := s.client.UpdateItem(s.Context(), &updateInput{
			TableName: &s.table, Key: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"UpdateItem": {updates, func(s *session, w expressionText) error {
		_, err := s.client.UpdateItem(s.Context(), &updateInput{
			TableName: &s.table, Key: row("pk", "p"), UpdateExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"a transaction's Put": {conditions, func(s *session, w expressionText) error {
		return s.transact(types.TransactWriteItem{Put: &types.Put{
			TableName: &s.table, Item: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}})
	}},
	"a transaction's Delete": {conditions, func(s *session, w expressionText) error {
		return s.transact(types.TransactWriteItem{Delete: &types.Delete{
			TableName: &s.table, Key: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}})
	}},
	"a transaction's ConditionCheck": {conditions, func(s *session, w expressionText) error {
		return s.transact(types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &s.table, Key: row("pk", "p"), ConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}})
	}},
	"a transaction's Update": {updates, func(s *session, w expressionText) error {
		return s.transact(types.TransactWriteItem{Update: &types.Update{
			TableName: &s.table, Key: row("pk", "p"), UpdateExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}})
	}},
	"Query": {keys, func(s *session, w expressionText) error {
		_, err := s.client.Query(s.Context(), &dynamodb.QueryInput{
			TableName: &s.table, KeyConditionExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"Query's filter": {conditions, func(s *session, w expressionText) error {
		w.values[":pk"] = text("p")
		_, err := s.client.Query(s.Context(), &dynamodb.QueryInput{
			TableName: &s.table, KeyConditionExpression: aws.String("pk = :pk"), FilterExpression: &w.text,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"Scan's filter": {conditions, func(s *session, w expressionText) error {
		_, err := s.client.Scan(s.Context(), &dynamodb.ScanInput{
			TableName: &s.table, FilterExpression: &w.text, ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		})
		return err
	}},
	"Scan": {projections, func(s *session, w expressionText) error {
		_, err := s.client.Scan(s.Context(), &dynamodb.ScanInput{TableName: &s.table, ProjectionExpression: &w.text, ExpressionAttributeNames: w.names})
		return err
	}},
	"Query's projection": {projections, func(s *session, w expressionText) error {
		_, err := s.client.Query(s.Context(), &dynamodb.QueryInput{
			TableName: &s.table, KeyConditionExpression: aws.String("pk = :pk"), ExpressionAttributeValues: row(":pk", "p"),
			ProjectionExpression: &w.text, ExpressionAttributeNames: w.names,
		})
		return err
	}},
	"GetItem": {projections, func(s *session, w expressionText) error {
		_, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{
			TableName: &s.table, Key: row("pk", "p"), ProjectionExpression: &w.text, ExpressionAttributeNames: w.names,
		})
		return err
	}},
	"BatchGetItem": {projections, func(s *session, w expressionText) error {
		_, err := s.client.BatchGetItem(s.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			s.table: {Keys: []attributes{row("pk", "p")}, ProjectionExpression: &w.text, ExpressionAttributeNames: w.names},
		}})
		return err
	}},
	"TransactGetItems": {projections, func(s *session, w expressionText) error {
		_, err := s.client.TransactGetItems(s.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{
			TableName: &s.table, Key: row("pk", "p"), ProjectionExpression: &w.text, ExpressionAttributeNames: w.names,
		}}}})
		return err
	}},
}

// limitedExpressions returns expressions of each kind at a limit, or beyond it by over.
var limitedExpressions = map[string]func(k kindOfExpression, over int) (expressionText, bool){
	"4 KB": func(k kindOfExpression, over int) (expressionText, bool) {
		w := k.minimal("#a", ":v")
		w.text += strings.Repeat(" ", 4*kb-len(w.text)+over)
		return w, true
	},
	"255 bytes of a name's placeholder": func(k kindOfExpression, over int) (expressionText, bool) {
		return k.minimal("#"+strings.Repeat("a", 254+over), ":v"), true
	},
	"255 bytes of a value's placeholder": func(k kindOfExpression, over int) (expressionText, bool) {
		return k.minimal("#a", ":"+strings.Repeat("v", 254+over)), k != projections
	},
	"65,535 bytes of a name": func(k kindOfExpression, over int) (expressionText, bool) {
		w := k.minimal("#a", ":v")
		w.names["#a"] = strings.Repeat("a", 65535+over)
		return w, k != keys
	},
	"300 operators": func(k kindOfExpression, over int) (expressionText, bool) {
		switch k {
		case conditions: // a does not exist
			operator := []string{"<>", "="}[(299+over)%2]
			return expressionText{strings.Repeat("NOT ", 299+over) + "a " + operator + " :v", nil, row(":v", "v")}, true
		case updates:
			return expressionText{"SET " + sumExpression(300+over), nil, row(":n", 1)}, true
		default:
			return expressionText{}, false
		}
	},
	"100 operands of IN": func(k kindOfExpression, over int) (expressionText, bool) {
		return expressionText{"NOT a IN (:v" + strings.Repeat(",:v", 99+over) + ")", nil, row(":v", 1)}, k == conditions
	},
	"32 steps of a path": func(k kindOfExpression, over int) (expressionText, bool) {
		path := "a" + strings.Repeat(".a", 31+over)
		switch k {
		case conditions:
			return expressionText{path + " <> :v", nil, row(":v", 1)}, true
		case updates:
			return expressionText{"SET b = if_not_exists(" + path + ", :v)", nil, row(":v", 1)}, true
		case projections:
			return expressionText{path, nil, nil}, true
		default:
			return expressionText{}, false
		}
	},
}

// sumExpression returns n assignments of sums to different attributes.
func sumExpression(n int) string {
	assignments := make([]string, n)
	for i := range assignments {
		assignments[i] = fmt.Sprintf("z%d=:n+:n", i)
	}
	return strings.Join(assignments, ",")
}

// TestExpressionLimits covers every request with an expression.
func TestExpressionLimits(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		for name, speaker := range expressionRequests {
			for limit, at := range limitedExpressions {
				for _, over := range s.around() {
					if w, ok := at(speaker.kind, over); ok {
						requireLimit(s.T, over, speaker.send(s, w), name, limit)
					}
				}
			}
		}
	})
}
