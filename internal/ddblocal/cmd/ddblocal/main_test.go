package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// Not parallel: it changes the environment.
func TestAServerThatRunsAlreadyIsOnlyNamed(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	t.Setenv("DYNAMODB_ENDPOINT", server.URL)
	input, stop := io.Pipe() // stays open
	defer func() { _ = stop.Close() }()
	var out, notes bytes.Buffer
	require.NoError(t, run(t.Context(), input, &out, &notes))
	require.Equal(t, "export DYNAMODB_ENDPOINT="+server.URL+"\n", out.String())
	require.Contains(t, notes.String(), "nothing was started")
}

// Not parallel: it changes the environment.
func TestAServerEndsWithTheInput(t *testing.T) {
	t.Setenv("DYNAMODB_ENDPOINT", "")
	input, stop := io.Pipe()
	var notes bytes.Buffer
	// The input ends when the endpoint is written: the server answers at that moment, and no longer when run has returned.
	var host string
	out := writerFunc(func(line string) {
		endpoint, ok := strings.CutPrefix(strings.TrimSpace(line), "export DYNAMODB_ENDPOINT=")
		require.True(t, ok)
		u, err := url.Parse(endpoint)
		require.NoError(t, err)
		host = u.Host
		conn, err := net.Dial("tcp", host)
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.NoError(t, stop.Close())
	})
	err := run(t.Context(), input, out, &notes)
	var missing *ddblocal.MissingError
	if errors.As(err, &missing) && !ddblocal.Required() {
		t.Skip(err)
	}
	require.NoError(t, err)
	require.Contains(t, notes.String(), "ALL network interfaces")
	_, err = net.Dial("tcp", host)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

type writerFunc func(string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}
