package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

func post(t *testing.T, ctx context.Context, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://nowhere.invalid", body)
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.GetItem")
	return r
}

func TestRequestFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target, attempt    string
		service, operation string
		n                  int
	}{
		{"DynamoDB_20120810.GetItem", "attempt=2; max=3", "DynamoDB_20120810", "GetItem", 2},
		{"DynamoDBStreams_20120810.GetRecords", "ttl=20261121T100000Z; attempt=1; max=3", "DynamoDBStreams_20120810", "GetRecords", 1},
		{"DynamoDB_20120810", "max=3", "DynamoDB_20120810", "", 0},
		{"DynamoDB_20120810.GetItem", "maxattempt=5; attempt=2\t; max=3", "DynamoDB_20120810", "GetItem", 2},
		{"DynamoDB.", "attempt=many", "DynamoDB", "", 0},
	} {
		server := &fake{reply: transport.Reply{Status: 200}}
		r := post(t, t.Context(), strings.NewReader("{}"))
		r.Header.Set("X-Amz-Target", c.target)
		r.Header.Set("Amz-Sdk-Request", c.attempt)
		r.Header.Set("Amz-Sdk-Invocation-Id", "call")
		response, err := (&transport.RoundTripper{Server: server}).RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, []transport.Request{{
			Service: c.service, Operation: c.operation, Body: []byte("{}"), InvocationID: "call", Host: r.URL.Host, Attempt: c.n,
		}}, server.arrived())
	}
}

// closing records whether it was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

func TestCanceledContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	body := &closing{Reader: strings.NewReader("{}")}
	server := &fake{}
	var steps recorder
	_, err := (&transport.RoundTripper{Server: server}).RoundTrip(post(t, httptrace.WithClientTrace(ctx, steps.trace()), body)) //nolint:bodyclose // there is none
	require.ErrorIs(t, err, cause)
	require.True(t, body.closed)
	require.Empty(t, steps.String())
	require.Empty(t, server.arrived())
}

func TestRequestBodyIsClosed(t *testing.T) {
	t.Parallel()
	body := &closing{Reader: strings.NewReader("{}")}
	r := post(t, t.Context(), body)
	before := r.Header.Clone()
	response, err := (&transport.RoundTripper{Server: &fake{reply: transport.Reply{Status: 200}}}).RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.True(t, body.closed)
	require.Equal(t, before, r.Header)
}

// TestOtherService checks that the body of a request for another service, which may have no end, is
// closed but not read.
func TestOtherService(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"", "AWSSecurityTokenService.GetCallerIdentity", "dynamodb.GetItem"} {
		server, unread := &fake{}, new(endless)
		body := &closing{Reader: unread}
		r := post(t, t.Context(), body)
		r.Header.Set("X-Amz-Target", other)
		_, err := (&transport.RoundTripper{Server: server}).RoundTrip(r) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, transport.ErrOtherService)
		require.True(t, body.closed)
		require.Zero(t, unread.read)
		require.Empty(t, server.arrived())
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// endless has no end. Reading it uses no memory.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestUnreadableBody(t *testing.T) {
	t.Parallel()
	server := &fake{}
	torn := errors.New("torn")
	_, err := (&transport.RoundTripper{Server: server}).RoundTrip(post(t, t.Context(), broken{torn})) //nolint:bodyclose // there is none
	require.ErrorIs(t, err, torn)
	require.Empty(t, server.arrived())
}

// TestTooLargeBody checks that reading stops at a limit. The request still reaches the
// server, which rejects it.
func TestTooLargeBody(t *testing.T) {
	t.Parallel()
	server := &fake{reply: transport.Reply{Status: http.StatusRequestEntityTooLarge}}
	long := new(endless)
	response, err := (&transport.RoundTripper{Server: server}).RoundTrip(post(t, t.Context(), long))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Less(t, long.read, 128<<20)

	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	r.ContentLength = 1 << 40
	transport.Handler{Server: server}.ServeHTTP(w, r)
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Len(t, server.arrived(), 2)
	for _, arrived := range server.arrived() {
		require.True(t, arrived.TooLarge)
		require.Empty(t, arrived.Body)
	}
}

func TestHealthCheck(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	transport.Handler{Server: &fake{}}.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
}

// TestResetWithoutHijacker covers a handler without a connection and a middleware
// that hides it. In both cases the client gets no reply.
func TestResetWithoutHijacker(t *testing.T) {
	t.Parallel()
	handler := transport.Handler{Server: &fake{refuse: true}}
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { handler.ServeHTTP(httptest.NewRecorder(), request) })

	type wrapped struct{ http.ResponseWriter }
	keeping := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(wrapped{w}, r) })
	for name, start := range map[string]func(*httptest.Server){
		"HTTP/2":       func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
		"a middleware": func(s *httptest.Server) { s.Config.Handler = keeping; s.Start() },
	} {
		server := httptest.NewUnstartedServer(handler)
		start(server)
		r := post(t, t.Context(), strings.NewReader("{}"))
		var err error
		r.URL, err = url.Parse(server.URL)
		require.NoError(t, err)
		_, err = server.Client().Do(r) //nolint:bodyclose // there is none
		require.Error(t, err, name)
		server.Close()
	}
}
