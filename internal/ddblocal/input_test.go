//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInputEndsBeforeTheServerRuns checks that ddblocal fails then, and does not say that something
// is missing. It fails if an ended input counts as a failed start of Java.
func TestInputEndsBeforeTheServerRuns(t *testing.T) {
	t.Parallel()
	for _, required := range []string{"0", "1"} {
		m := newMachine(t, "java", "mvn")
		m.set(requireVariable, required)
		cmd := m.command("ddblocal") // without an input
		output, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(output), errInputEnded.Error())
		require.NotContains(t, string(output), "Java")
	}
}

// TestEndpointNeedsNoInput checks that the settings of a server that runs already are printed.
func TestEndpointNeedsNoInput(t *testing.T) {
	t.Parallel()
	given := httptest.NewServer(http.NotFoundHandler())
	defer given.Close()
	m := newMachine(t)
	m.set(endpointVariable, given.URL)
	stdout, err := m.command("ddblocal").Output()
	require.NoError(t, err)
	require.Equal(t, given.URL, parse(t, string(stdout))[endpointVariable])
}
