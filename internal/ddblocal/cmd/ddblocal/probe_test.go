package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// Not parallel: the test changes the environment.
func TestProbeNamesTheEngine(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	t.Setenv("DYNAMODB_ENDPOINT", server.URL)
	var out bytes.Buffer
	require.NoError(t, probe(t.Context(), &out))
	require.Equal(t, "tests run on DynamoDB Local of unknown version (DYNAMODB_ENDPOINT)\n", out.String())
}

// Not parallel: the test changes the environment.
func TestProbeNamesWhatIsMissingAndFailsWhereItIsRequired(t *testing.T) {
	for _, name := range []string{"DYNAMODB_ENDPOINT", "JAVA_HOME", "PATH", "TRESTLE_REQUIRE_DYNAMODB"} {
		t.Setenv(name, "")
	}
	t.Setenv("DOCKER_HOST", "unix://"+t.TempDir()+"/none")
	var out bytes.Buffer
	require.NoError(t, probe(t.Context(), &out))
	require.Equal(t, 1, strings.Count(out.String(), "\n"), "one line")
	require.Contains(t, out.String(), "install Java")

	t.Setenv("TRESTLE_REQUIRE_DYNAMODB", "1")
	out.Reset()
	var missing *ddblocal.MissingError
	require.ErrorAs(t, probe(t.Context(), &out), &missing)
	require.Empty(t, out.String())
}

// Not parallel: the test changes the environment.
func TestProbeFailsWhereWhatIsThereDoesNotWork(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "not a URL")
	var out bytes.Buffer
	require.Error(t, probe(t.Context(), &out))
	require.Empty(t, out.String())
}
