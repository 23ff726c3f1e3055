package ddblocal

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeetRefusesWhatIsNoURL(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"localhost:8000", "127.0.0.1:8000", "ftp://localhost", "http://", "/var/run", "http://[", "x"} {
		_, err := meet(t.Context(), endpoint)
		require.Error(t, err, endpoint)
	}
}

// An endpoint may contain a password, which must not appear in an error.
func TestMeetKeepsAPasswordToItself(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, endpoint := range []string{"http://user:canary@127.0.0.1:1", "http://user:canary@%zz", "user:canary@x"} {
		_, err := meet(ctx, endpoint)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "canary")
	}
}

// Another program's server may get the port that was meant for DynamoDB Local.
func TestAwaitHTTPTellsAForeignServer(t *testing.T) {
	t.Parallel()
	foreign := httptest.NewServer(http.NotFoundHandler())
	defer foreign.Close()
	gone := make(chan struct{})
	close(gone)
	require.NoError(t, awaitHTTP(t.Context(), foreign.URL, anyAnswer, gone), "any answer counts where the user names the endpoint")
	require.ErrorIs(t, awaitHTTP(t.Context(), foreign.URL, fromDynamoDB, gone), errGone)
}

func TestAwaitHTTPEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, awaitHTTP(ctx, "http://127.0.0.1:1", anyAnswer, nil), context.Canceled)
}
