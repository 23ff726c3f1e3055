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

// TestNoFixtures checks that an empty body is an error: curl sends one if the file that it should
// send does not exist.
func TestNoFixtures(t *testing.T) {
	t.Parallel()
	e, _ := startOne(t)
	e.post("/fixtures", `{"tables":[`+things+`]}`)
	for _, path := range []string{"/fixtures", "/fixtures?table=things"} {
		for _, body := range []string{"", " \n"} {
			_, cures := e.fails(http.StatusBadRequest, http.MethodPost, path, body)
			require.Contains(t, cures, "@", "%s %q", path, body)
		}
	}
	e.post("/fixtures", `{}`) // the control: this loads nothing on purpose
}
