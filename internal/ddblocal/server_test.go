package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheEndpointMustBeAURL(t *testing.T) {
	t.Parallel()
	for _, endpoint := range []string{"localhost:8000", "127.0.0.1:8000", "ftp://localhost", "http://", "/var/run", "http://[", "x"} {
		_, err := useEndpoint(t.Context(), endpoint)
		require.Error(t, err, endpoint)
	}
}

func TestErrorsContainNoPassword(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, endpoint := range []string{"http://user:canary@127.0.0.1:1", "http://user:canary@%zz", "user:canary@x"} {
		_, err := useEndpoint(ctx, endpoint)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "canary")
	}
}

// Another program's server may get the port that was meant for DynamoDB Local.
func TestAServerOfAnotherProgramIsNotAccepted(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	errGone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	asked := 0
	err := awaitHTTP(ctx, other.URL, func(r *http.Response) bool {
		if asked++; asked == 3 {
			cancel(errGone)
		}
		return fromDynamoDB(r)
	})
	require.ErrorIs(t, err, errGone)
	require.Equal(t, 3, asked)
}
