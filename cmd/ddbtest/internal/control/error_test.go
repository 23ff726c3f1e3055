package control_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefusedTable checks that the error has the code and the message of the service only.
func TestRefusedTable(t *testing.T) {
	t.Parallel()
	e, _ := startOne(t)
	_, text := e.problems(http.StatusBadRequest, http.MethodPost, "/fixtures", `{"tables":[{"TableName":"things"}]}`)
	require.Contains(t, text, "ValidationException: ")
	require.NotContains(t, text, "StatusCode")
	require.NotRegexp(t, ofGo, text)
}
