package ddbtest_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// responses returns the item or the error of each statement of a batch, or the code of the error of
// the whole batch.
func (s *session) responses(in *dynamodb.BatchExecuteStatementInput) []string {
	s.Helper()
	out, err := s.client.BatchExecuteStatement(s.Context(), in)
	if err != nil {
		return []string{resultOf(err)}
	}
	all := make([]string, len(out.Responses))
	for i, r := range out.Responses {
		switch {
		case r.Error != nil:
			all[i] = string(r.Error.Code)
		case r.Item != nil:
			all[i] = keysOf([]attributes{r.Item})
		default:
			all[i] = "nothing"
		}
	}
	return all
}

// TestBatchExecuteStatement checks that statements fail on their own.
func TestBatchExecuteStatement(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		for _, c := range []struct {
			texts []string
			want  string
		}{
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "SELECT * FROM orders WHERE pk = 'a' AND sk = 9"}, "a1, nothing"},
			{[]string{"SELECT sk FROM orders WHERE pk = 'a' AND sk = 1", "SELECT * FROM nowhere WHERE pk = 'a' AND sk = 1"}, "1, ResourceNotFound"},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1 ORDER BY sk", "SELEC"}, "a1, ValidationError"},
			{[]string{"SELECT * FROM orders WHERE pk = 'a'", "SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 10"}, "ValidationError, ValidationError"},
			{[]string{"SELECT * FROM orders.byG WHERE g = 'g1' AND r = 9", "SELECT * FROM orders WHERE pk = 1 AND sk = 1"}, "ValidationError, ValidationError"},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 1)"}, "ValidationError"},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "SELECT sk FROM orders WHERE sk = 1.0 AND pk = 'a'"}, invalid},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "DELETE FROM orders WHERE pk = 'a' AND sk = 2"}, invalid},
			{[]string{"INSERT INTO orders VALUE {'pk': 'd', 'sk': 1}", "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 9"}, "nothing, ConditionalCheckFailed"},
			{[]string{"INSERT INTO orders VALUE {'pk': 'd', 'sk': 1}", "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 1 RETURNING ALL NEW *"}, "DuplicateItem, a1"},
			{[]string{"DELETE FROM orders WHERE pk = 'd' AND sk = 1 RETURNING ALL OLD *", "DELETE FROM orders WHERE pk = 'd' AND sk = 2 RETURNING ALL OLD *"}, "d1, nothing"},
			{[]string{"INSERT INTO orders VALUE {'pk': 'd'}", "UPDATE orders SET n = z WHERE pk = 'a' AND sk = 1"}, "ValidationError, ValidationError"},
		} {
			require.Equal(s, c.want, strings.Join(s.responses(batchOf(c.texts...)), ", "), c.texts)
		}
		require.Len(s, scanAll(s.Context(), s, s.client, "orders", ""), 12)

		in := batchOf("UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 0 AND n = 7")
		in.Statements[0].ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
		out, err := s.client.BatchExecuteStatement(s.Context(), in)
		require.NoError(s, err)
		require.Equal(s, "a0", keysOf([]attributes{out.Responses[0].Error.Item}))
		require.Equal(s, "orders", aws.ToString(out.Responses[0].TableName))

		many := func(n int) *dynamodb.BatchExecuteStatementInput {
			in := batchOf()
			for i := range n {
				in.Statements = append(in.Statements, types.BatchStatementRequest{
					Statement: aws.String("SELECT * FROM orders WHERE pk = ? AND sk = ?"), Parameters: []types.AttributeValue{text("a"), number(i)},
				})
			}
			return in
		}
		require.Len(s, s.responses(many(25)), 25)
		require.Equal(s, []string{invalid}, s.responses(many(26)))
	})
}

// outcomes returns the items of a transaction, or the reasons of its cancellation, or the code of
// another error.
func (s *session) outcomes(in *dynamodb.ExecuteTransactionInput) string {
	s.Helper()
	out, err := s.client.ExecuteTransaction(s.Context(), in)
	if resultOf(err) == canceledException {
		return strings.Join(reasons(s.T, err), " ")
	}
	if err != nil {
		return resultOf(err)
	}
	all := make([]string, len(out.Responses))
	for i, r := range out.Responses {
		if all[i] = "nothing"; r.Item != nil {
			all[i] = keysOf([]attributes{r.Item})
		}
	}
	return strings.Join(all, " ")
}

// TestExecuteTransaction checks that a transaction applies all its statements, or none.
func TestExecuteTransaction(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		update := "UPDATE orders SET n = n + 1 WHERE pk = 'a' AND sk = 1"
		for _, c := range []struct {
			texts []string
			want  string
			n     int // of the item a, 1 afterwards
		}{
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "SELECT sk FROM orders WHERE pk = 'a' AND sk = 9"}, "a1 nothing", 10},
			{[]string{"SELECT * FROM orders WHERE pk = 'a'"}, invalid, 10},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1 AND n = 10"}, invalid, 10},
			{[]string{"SELECT * FROM orders.byG WHERE g = 'g1' AND r = 9"}, invalid, 10},
			{[]string{"SELECT * FROM nowhere WHERE pk = 'a' AND sk = 1"}, "ResourceNotFoundException", 10},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 1", "SELECT n FROM orders WHERE pk = 'a' AND sk = 1"}, invalid, 10},
			{[]string{"SELECT * FROM orders WHERE pk = 1 AND sk = 1"}, "ValidationError", 10},
			{[]string{"SELECT * FROM orders WHERE pk = 'a' AND sk = 2", update}, invalid, 10},
			{[]string{update, "INSERT INTO orders VALUE {'pk': 'd', 'sk': 1}", "DELETE FROM orders WHERE pk = 'b' AND sk = 1"}, "", 11},
			{[]string{update, "UPDATE orders SET n = 1 WHERE pk = 'a' AND sk = 9"}, "None ConditionalCheckFailed", 11},
			{[]string{update, "DELETE FROM orders WHERE pk = 'a' AND sk = 2 AND n = 1"}, "None ConditionalCheckFailed", 11},
			{[]string{update, "DELETE FROM orders WHERE pk = 'a' AND sk = 9 AND n = 1"}, "", 12},
			{[]string{update, "DELETE FROM orders WHERE pk = 1 AND sk = 9"}, "None ValidationError", 12},
			{[]string{"INSERT INTO orders VALUE {'pk': 'e'}", update}, "ValidationError None", 12},
			{[]string{update, update}, invalid, 12},
			{[]string{update + " RETURNING ALL NEW *"}, invalid, 12},
			{[]string{update, "SELEC"}, invalid, 12},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND sk = 2 AND n = 20)", update}, "", 13},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND sk = 2 AND n = 21)", update}, "ConditionalCheckFailed None", 13},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND sk = 9 AND n IS MISSING)", update}, "ConditionalCheckFailed None", 13},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND sk = 2)", update}, invalid, 13},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND n = 20)", update}, invalid, 13},
			{[]string{"EXISTS(SELECT * FROM orders.byG WHERE g = 'g1' AND r = 9 AND n = 1)", update}, invalid, 13},
			{[]string{"EXISTS(SELECT * FROM orders WHERE pk = 'b' AND sk = 2 AND n = 20)", "SELECT * FROM orders WHERE pk = 'a' AND sk = 2"}, invalid, 13},
			{[]string{"UPDATE orders SET n = size(s) WHERE pk = 'a' AND sk = 1"}, invalid, 13},
		} {
			require.Equal(s, c.want, s.outcomes(transactionOf(c.texts...)), c.texts)
			require.Equal(s, number(c.n), s.get(row("pk", "a", "sk", 1))["n"], c.texts)
		}
		in := transactionOf(update + " AND n = 7")
		in.TransactStatements[0].ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
		_, err := s.client.ExecuteTransaction(s.Context(), in)
		var canceled *types.TransactionCanceledException
		require.ErrorAs(s, err, &canceled)
		require.Equal(s, "a1", keysOf([]attributes{canceled.CancellationReasons[0].Item}))

		many := func(n int) *dynamodb.ExecuteTransactionInput {
			in := transactionOf()
			for i := range n {
				in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{
					Statement: aws.String("SELECT * FROM orders WHERE pk = ? AND sk = ?"), Parameters: []types.AttributeValue{text("z"), number(i)},
				})
			}
			return in
		}
		require.Equal(s, strings.TrimSpace(strings.Repeat("nothing ", 100)), s.outcomes(many(100)))
		require.Equal(s, invalid, s.outcomes(many(101)))
	})
}

// TestTransactionToken applies a transaction once for each token.
func TestTransactionToken(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, ordersTable(), func(s *session) {
		s.putOrders()
		in := transactionOf("UPDATE orders SET n = n + ? WHERE pk = 'a' AND sk = 1")
		in.ClientRequestToken, in.TransactStatements[0].Parameters = aws.String("token"), []types.AttributeValue{number(1)}
		for range 3 {
			require.Empty(s, s.outcomes(in))
		}
		require.Equal(s, number(11), s.get(row("pk", "a", "sk", 1))["n"])
		in.TransactStatements[0].Parameters = []types.AttributeValue{number(2)}
		require.Equal(s, "IdempotentParameterMismatchException", s.outcomes(in))
		in.ClientRequestToken = nil
		require.Empty(s, s.outcomes(in))
		require.Empty(s, s.outcomes(in), "the SDK has set its token")
		require.Equal(s, number(13), s.get(row("pk", "a", "sk", 1))["n"])
	})
}
