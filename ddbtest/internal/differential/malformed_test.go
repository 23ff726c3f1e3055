package differential

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"
)

// TestMalformedStatements sends malformed statements to both engines. The service gives a reason,
// or none, in place of the statement, which DynamoDB Local repeats.
func TestMalformedStatements(t *testing.T) {
	t.Parallel()
	const envelope = "Statement wasn't well formed, can't be processed: "
	messages := func(e engine, statement string) string {
		_, err := e.client.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: &statement})
		var rejected smithy.APIError
		require.ErrorAs(t, err, &rejected, "%s: %s", e.name, statement)
		require.Equal(t, codeValidation, rejected.ErrorCode(), "%s: %s", e.name, statement)
		return rejected.ErrorMessage()
	}
	a, b := local(t), inProcess(t)
	for _, statement := range []string{
		"SLECT * FROM orders", "UPDATE a-b SET c = 1", "SELECT size FROM orders", "SELECT * FROM user", "SELECT * FROM orders WHERE key = 'secret'",
		"INSERT INTO orders (key) VALUES ('secret')", "SELECT * FROM orders WHERE", "SELECT *", "SELECT * WHERE a = 'secret'", "DELETE orders WHERE a = 'secret'",
		"SELECT * FROM orders WHERE a = 'secret' junk", `SELECT * FROM "orders`, "SELECT * FROM orders WHERE a = 'secret",
		"SELECT * FROM orders LIMIT 5", "SELECT * FROM orders WHERE a = 1\n  LIMIT 100",
	} {
		want, got := messages(a, statement), messages(b, statement)
		require.NotContains(t, got, "secret")
		if repeated, ok := strings.CutPrefix(want, envelope); ok {
			require.Equal(t, statement, repeated, "DynamoDB Local has a reason now: compare it")
			require.True(t, strings.HasPrefix(got, envelope), got)
			continue
		}
		require.Equal(t, want, got, statement)
	}
}
