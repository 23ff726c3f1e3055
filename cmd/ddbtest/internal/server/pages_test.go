package server_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/server"
)

// TestRoot checks that the root leads a browser to the pages, and is a health check for others.
func TestRoot(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	html := map[string]string{"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
	for _, path := range []string{"/", "/_ddbtest"} {
		reply, body := r.send(t, http.MethodGet, path, "", html)
		require.Equal(t, http.StatusOK, reply.StatusCode)
		require.Equal(t, "/_ddbtest/", reply.Request.URL.Path, "after a redirect")
		require.Contains(t, body, "<html")
	}
	for _, accept := range []string{"", "*/*", "application/json", "text/plain"} {
		reply, _ := r.send(t, http.MethodGet, "/", "", map[string]string{"Accept": accept})
		require.Equal(t, http.StatusOK, reply.StatusCode)
		require.Equal(t, "/", reply.Request.URL.Path)
		require.Contains(t, reply.Header.Get("Content-Type"), "text/plain")
	}
	reply, _ := r.send(t, http.MethodGet, "/favicon.ico", "", html)
	require.Contains(t, reply.Header.Get("Content-Type"), "text/plain", "only the root is a page")
	require.Empty(t, r.databases.All())
}

// TestPagesAreNoPathsOfClients checks that requests of DynamoDB may have any path.
func TestPagesAreNoPathsOfClients(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	reply, body := r.send(t, http.MethodPost, "/_ddbtest/", "{}", map[string]string{
		"X-Amz-Target": "DynamoDB_20120810.ListTables", "Authorization": scope, "Origin": "http://a.example",
	})
	require.Equal(t, http.StatusOK, reply.StatusCode)
	require.JSONEq(t, `{"TableNames":[]}`, body)
	reply, _ = r.send(t, http.MethodPost, "/_ddbtest/databases/one/us-east-1/clock", "by=1h", map[string]string{"Origin": "http://a.example"})
	require.Equal(t, http.StatusForbidden, reply.StatusCode, "a form of another site, although CORS allows it")
}

// TestUnknownVersions checks that paths that look like those of the control endpoint get its error.
func TestUnknownVersions(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	for _, path := range []string{"/_ddbtest/v1", "/_ddbtest/v2", "/_ddbtest/v2/faults", "/_ddbtest/v1/fault"} {
		reply, body := r.send(t, http.MethodGet, path, "", nil)
		require.Equal(t, http.StatusNotFound, reply.StatusCode, path)
		require.Equal(t, "application/json", reply.Header.Get("Content-Type"))
		require.Contains(t, body, `"errors"`)
	}
	reply, _ := r.send(t, http.MethodGet, "/_ddbtst/v1/faults", "", nil)
	require.Equal(t, http.StatusOK, reply.StatusCode, "a health check")
}
