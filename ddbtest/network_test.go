package ddbtest_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestNetwork sends requests to a listener: over a connection that it can reset, over one
// that a middleware hides, and over HTTP/2.
func TestNetwork(t *testing.T) {
	t.Parallel()
	type wrapped struct{ http.ResponseWriter }
	for name, start := range map[string]func(*httptest.Server){
		"HTTP/1": (*httptest.Server).Start,
		"HTTP/2": func(s *httptest.Server) {
			s.EnableHTTP2 = true
			s.StartTLS()
		},
		"a middleware": func(s *httptest.Server) {
			handler := s.Config.Handler
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(wrapped{w}, r) })
			s.Start()
		},
	} {
		db := setup(t)
		server := httptest.NewUnstartedServer(db)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		start(server)
		client := db.Client(once, func(o *dynamodb.Options) { o.HTTPClient, o.BaseEndpoint = server.Client(), &server.URL })
		for _, i := range effectCases() {
			if !i.appliesTo("UpdateItem") {
				continue
			}
			rule := db.Fail(ddbtest.Op("UpdateItem"), i.effect)
			before := n(t, db)
			err := increment(t.Context(), client)
			requireResult(t, name == "HTTP/1", i.result, err, name+": "+i.effect.String())
			require.Equal(t, count(i.applied), n(t, db)-before)
			require.Equal(t, 1, rule.Hits())
			rule.Remove()
			require.NoError(t, increment(t.Context(), client))
		}
		db.Fail(ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Reset))
		before := n(t, db)
		require.NoError(t, increment(t.Context(), db.Client(func(o *dynamodb.Options) { o.HTTPClient, o.BaseEndpoint = server.Client(), &server.URL })))
		require.Equal(t, before+2, n(t, db), "the SDK takes it for a connection that was lost: %s", name)
		server.Close()
		db.Close()
	}
}

// requireResult checks the outcome over a network. An existing connection is never refused, and it
// is reset only if own is set.
func requireResult(t *testing.T, own bool, want string, err error, message string) {
	t.Helper()
	var apiErr smithy.APIError
	switch {
	case want == "":
		require.NoError(t, err, message)
	case want != "reset" && want != "refused":
		require.Equal(t, want, resultOf(err), message)
	case own:
		require.Equal(t, "reset", resultOf(err), message)
	default:
		require.Error(t, err, message)
		require.NotErrorAs(t, err, &apiErr, message)
	}
}

// TestTooLargeRequest checks that the service rejects it, not the network.
func TestTooLargeRequest(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	db := setup(t)
	_, err := db.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", 1, attributes{"large": text(strings.Repeat("x", 33<<20))}),
	})
	require.Equal(t, "RequestEntityTooLarge", resultOf(err))
	log := db.Requests()
	require.Len(t, log, 1)
	require.Equal(t, http.StatusRequestEntityTooLarge, log[0].Status)
}
