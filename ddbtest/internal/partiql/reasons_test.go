package partiql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/partiql"
)

// reasons has malformed statements with the reasons of the service.
var reasons = map[string]string{
	"": "Expected data manipulation", "SLECT * FROM o": "Expected data manipulation", "UPDATE o-p SET a = 1": "Expected data manipulation",
	"UPDATE o WHERE a = 1": "Expected data manipulation",
	"SELECT size FROM o":   "Unexpected keyword", "SELECT * FROM user": "Unexpected keyword", "SELECT FROM o": "Unexpected keyword",
	"SELECT * FROM o WHERE key = 'secret'": "Unexpected keyword", "UPDATE o SET value = 'secret'": "Unexpected keyword",
	"INSERT INTO urls (key, secret_key) VALUES (?, ?)": "Unexpected keyword", "INSERT INTO o VALUES {'a': 'secret'}": "Unexpected keyword",
	"INSERT INTO o p VALUE {'a': 1}": "Unexpected token after expression",
	"SELECT * FROM o WHERE":          "Unexpected term", "SELECT * FROM": "Unexpected term", "SELECT * FROM o WHERE a = 'secret' AND": "Unexpected term",
	"SELECT * FROM o WHERE = 1": "Unexpected operator",
	"SELECT *":                  "Expected FROM after SELECT list", "SELECT * WHERE a = 'secret'": "Expected FROM after SELECT list",
	"DELETE o WHERE a = 'secret'":             "Expected FROM after DELETE",
	"SELECT * FROM o WHERE a = 'secret' junk": "Unexpected token after expression", "SELECT * FROM o; SELECT * FROM o": "Unexpected token after expression",
	`SELECT * FROM "o`: "", "SELECT * FROM o WHERE a = 'secret": "", "SELECT * FROM o WHERE a = 'it's'": "", "SELECT # FROM o": "",
}

// TestReasons checks that the error has the reason, and does not repeat the statement.
func TestReasons(t *testing.T) {
	t.Parallel()
	for text, want := range reasons {
		_, _, err := partiql.Parse(text)
		require.EqualError(t, err, "ValidationException: Statement wasn't well formed, can't be processed: "+want, text)
	}
}

// TestLimit checks that a LIMIT clause is rejected with its position.
func TestLimit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT id FROM dbimp_page LIMIT 5":                    "Unsupported clause: LIMIT at 1:33:1",
		"SELECT * FROM o\nWHERE a = 1 ORDER BY b\n  LIMIT 100": "Unsupported clause: LIMIT at 3:9:3",
		"SELECT * FROM o LIMIT":                                "Statement wasn't well formed, can't be processed: Unexpected term",
	} {
		_, _, err := partiql.Parse(text)
		require.EqualError(t, err, "ValidationException: "+want, text)
	}
}
