package ddbtest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// statement returns the request of a statement.
func statement(text string, parameters ...types.AttributeValue) *dynamodb.ExecuteStatementInput {
	in := &dynamodb.ExecuteStatementInput{Statement: &text}
	if len(parameters) > 0 {
		in.Parameters = parameters
	}
	return in
}

// batchOf returns a batch of statements.
func batchOf(texts ...string) *dynamodb.BatchExecuteStatementInput {
	in := &dynamodb.BatchExecuteStatementInput{}
	for _, text := range texts {
		in.Statements = append(in.Statements, types.BatchStatementRequest{Statement: &text})
	}
	return in
}

// transactionOf returns a transaction of statements.
func transactionOf(texts ...string) *dynamodb.ExecuteTransactionInput {
	in := &dynamodb.ExecuteTransactionInput{}
	for _, text := range texts {
		in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{Statement: &text})
	}
	return in
}

// run runs a statement and returns its items, sorted by their text, or the code of its error.
func (s *session) run(text string, parameters ...types.AttributeValue) string {
	s.Helper()
	return s.runInput(statement(text, parameters...))
}

func (s *session) runInput(in *dynamodb.ExecuteStatementInput) string {
	s.Helper()
	out, err := s.client.ExecuteStatement(s.Context(), in)
	if err != nil {
		return resultOf(err)
	}
	return itemTexts(out.Items)
}

// itemTexts returns items as text, in their order.
func itemTexts(items []attributes) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = written(item)
	}
	return strings.Join(all, " ")
}

// partiqlOperations are the operations of PartiQL.
var partiqlOperations = []string{"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}

// partiqlOperation is an operation of PartiQL, and the operation as which it runs.
type partiqlOperation struct {
	operation
	runsAs string
}

// partiqlRuns has the operations of PartiQL, with each operation as which they run.
func partiqlRuns() []partiqlOperation {
	return []partiqlOperation{
		{operation{"ExecuteStatement", showStatement("SELECT * FROM things"), wasRead, ""}, "Scan"},
		{operation{"ExecuteStatement", showStatement("SELECT * FROM things WHERE pk = 'old'"), wasRead, ""}, "Query"},
		{operation{"ExecuteStatement", showStatement("INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 'n': 1}"), wasWritten, "DuplicateItemException"}, "PutItem"},
		{operation{"ExecuteStatement", showStatement("DELETE FROM things WHERE pk = 'old' AND sk = 1"), oldItemIsDeleted, ""}, "DeleteItem"},
		{operation{"ExecuteStatement", showStatement("UPDATE things SET n = 2 WHERE pk = 'a' AND sk = 3"), thirdIsUpdated, ""}, "UpdateItem"},
		{operation{"BatchExecuteStatement", showStatements(
			"SELECT * FROM things WHERE pk = 'old' AND sk = 1", "SELECT * FROM things WHERE pk = 'a' AND sk = 1", "SELECT * FROM things WHERE pk = 'a' AND sk = 3",
		), wasRead, ""}, "BatchGetItem"},
		{operation{"BatchExecuteStatement", showStatements(
			"INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 'n': 1}", "DELETE FROM things WHERE pk = 'a' AND sk = 2", "INSERT INTO things VALUE {'pk': 'b', 'sk': 1}",
		), wasWritten, ""}, "BatchWriteItem"},
		{operation{"ExecuteTransaction", transactionWithoutResult(
			"SELECT * FROM things WHERE pk = 'old' AND sk = 1", "SELECT * FROM things WHERE pk = 'a' AND sk = 1",
		), wasRead, ""}, "TransactGetItems"},
		{operation{"ExecuteTransaction", transactionWithoutResult(
			"INSERT INTO things VALUE {'pk': 'a', 'sk': 1, 'n': 1}", "DELETE FROM things WHERE pk = 'a' AND sk = 2",
		), wasWritten, ""}, "TransactWriteItems"},
	}
}

func showStatement(text string) operationFunc {
	return func(ctx context.Context, c *caller) (string, error) {
		out, err := c.ExecuteStatement(ctx, statement(text))
		if err != nil || !strings.HasPrefix(text, "SELECT") {
			return "", err
		}
		return showPage(int32(len(out.Items)), out.LastEvaluatedKey), nil
	}
}

// showStatements shows how many statements were throttled.
func showStatements(texts ...string) operationFunc {
	return func(ctx context.Context, c *caller) (string, error) {
		out, err := c.BatchExecuteStatement(ctx, batchOf(texts...))
		if err != nil {
			return "", err
		}
		throttled := 0
		for _, r := range out.Responses {
			throttled += count(r.Error != nil && r.Error.Code == types.BatchStatementErrorCodeEnumThrottlingError)
		}
		return fmt.Sprintf("%d left", throttled), nil
	}
}

func transactionWithoutResult(texts ...string) operationFunc {
	return func(ctx context.Context, c *caller) (string, error) {
		_, err := c.ExecuteTransaction(ctx, transactionOf(texts...))
		return "", err
	}
}

// thirdIsUpdated reports whether the item a, 3 was updated.
func thirdIsUpdated(_ *testing.T, db *ddbtest.DB, _ *caller) bool {
	return strings.Contains(itemTexts(db.Dump(things)), written(thing("a", 3, attributes{"n": number(2)})))
}

// ordersTable is a table with both kinds of indexes, of which one lacks attributes.
func ordersTable() *dynamodb.CreateTableInput {
	return named("orders", tableOf("pk:S sk:N", ix{name: "byR", key: "pk:S r:N", local: true}, ix{name: "byG", key: "g:S r:N", holds: "*"}, ix{name: "keysOnly", key: "g:S"}))
}
