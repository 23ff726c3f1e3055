package server_test

import (
	"net/http"
	"strings"
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
	require.Empty(t, r.databases.All())
}

// TestHealth checks the health checks: those of the service, "/" and "/ping". Other paths do not
// exist.
func TestHealth(t *testing.T) {
	t.Parallel()
	r := start(t, server.Origins{"*"})
	for _, path := range []string{"/", "/ping", "/?x=1"} {
		got, body := r.send(t, http.MethodGet, path, "", nil)
		require.Equal(t, http.StatusOK, got.StatusCode, path)
		require.Contains(t, body, "healthy")
		head, body := r.send(t, http.MethodHead, path, "", nil)
		require.Equal(t, http.StatusOK, head.StatusCode, path)
		require.Empty(t, body)
		for _, name := range []string{"Content-Type", "Content-Length"} {
			require.Equal(t, got.Header.Get(name), head.Header.Get(name))
		}
	}
	for _, path := range []string{"/favicon.ico", "/_ddbtst/v1/faults", "/ping/", "/healthy", "//"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, accept := range []string{"", "text/html"} {
				reply, body := r.send(t, method, path, "", map[string]string{"Accept": accept})
				require.Equal(t, http.StatusNotFound, reply.StatusCode, path)
				require.Equal(t, "application/x-amz-json-1.0", reply.Header.Get("Content-Type"))
				require.Equal(t, method == http.MethodGet, strings.Contains(body, "UnknownOperationException"))
			}
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		reply, body := r.send(t, method, "/", "", nil)
		require.Equal(t, http.StatusBadRequest, reply.StatusCode, "no health check")
		require.Contains(t, body, "MissingAuthenticationTokenException")
	}
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
}
