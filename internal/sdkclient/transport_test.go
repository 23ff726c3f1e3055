package sdkclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/stretchr/testify/require"
)

// newTransport returns a transport with the settings of this package.
func newTransport() *http.Transport {
	t := &http.Transport{}
	Transport(t)
	return t
}

// hastyBody is a request body that the SDK closes at the worst time: after the request is sent, and
// before the transport reads the end of the body.
type hastyBody struct {
	rest   *bytes.Reader
	sent   *atomic.Bool // a connection has been chosen
	closed chan struct{}
}

var errClosedBody = errors.New("read on closed body")

func (b hastyBody) Read(p []byte) (int, error) {
	n, err := b.rest.Read(p)
	if err == io.EOF && b.sent.Load() {
		<-b.closed
		return 0, errClosedBody
	}
	return n, err
}

func (hastyBody) Close() error { return nil }

// callHastily sends one request, closes its body when the header of the response arrives, and reads
// the response.
func callHastily(t *testing.T, client aws.HTTPClient, address string) (reused bool) {
	t.Helper()
	var sent atomic.Bool
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		reused = info.Reused
		sent.Store(true)
	}})
	const size = 20_000
	body := hastyBody{rest: bytes.NewReader(make([]byte, size)), sent: &sent, closed: make(chan struct{})}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	require.NoError(t, err)
	request.ContentLength = size
	response, err := client.Do(request)
	close(body.closed)
	if err != nil {
		return reused
	}
	_, _ = io.Copy(io.Discard, response.Body)
	require.NoError(t, response.Body.Close())
	return reused
}

func TestAnEarlyCloseKeepsTheConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength)
		_, _ = w.Write(make([]byte, 1<<20))
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		client func(*http.Client) aws.HTTPClient
		reused bool
	}{
		"ours":  {func(c *http.Client) aws.HTTPClient { return HTTPClient(c) }, true},
		"plain": {func(c *http.Client) aws.HTTPClient { return c }, false}, // the negative control
	} {
		transport := newTransport()
		client := c.client(&http.Client{Transport: transport})
		callHastily(t, client, server.URL)
		require.Equal(t, c.reused, callHastily(t, client, server.URL), name)
		transport.CloseIdleConnections()
	}
}

// countingConn counts the writes to a connection.
type countingConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c countingConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

func TestARequestIsOneWrite(t *testing.T) {
	t.Parallel()
	bodies := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies <- string(b)
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		client func(*http.Client) aws.HTTPClient
		one    bool
	}{
		"ours":  {func(c *http.Client) aws.HTTPClient { return HTTPClient(c) }, true},
		"plain": {func(c *http.Client) aws.HTTPClient { return c }, false}, // the negative control
	} {
		for _, size := range []int{1, 1000, 20_000, writeBuffer / 2} {
			var writes atomic.Int64
			transport := newTransport()
			transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := new(net.Dialer).DialContext(ctx, network, address)
				return countingConn{conn, &writes}, err
			}
			text := strings.Repeat("x", size)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, io.NopCloser(io.LimitReader(strings.NewReader(text), int64(size))))
			require.NoError(t, err)
			request.ContentLength = int64(size)
			response, err := c.client(&http.Client{Transport: transport}).Do(request)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, text, <-bodies)
			require.Equal(t, c.one, writes.Load() == 1, "%s, %d bytes: %d writes", name, size, writes.Load())
			transport.CloseIdleConnections()
		}
	}
}

func TestARequestWhoseBodyCannotBeReadIsNotSent(t *testing.T) {
	t.Parallel()
	errRead := errors.New("no body")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1", io.MultiReader(strings.NewReader("a"), failing{errRead}))
	require.NoError(t, err)
	_, err = HTTPClient(&http.Client{}).Do(request)
	require.ErrorIs(t, err, errRead)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// The settings of another client stay.
func TestAnHTTPClientKeepsItsSettings(t *testing.T) {
	t.Parallel()
	proxy := http.ProxyURL(&url.URL{Scheme: "http", Host: "127.0.0.1:1"})
	given := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.Proxy, t.MaxIdleConns, t.MaxIdleConnsPerHost = proxy, 0, 500
	}).WithReadTimeout(time.Second)
	got, ok := HTTPClient(given).(oneWrite).client.(*awshttp.BuildableClient)
	require.True(t, ok)
	transport := got.GetTransport()
	require.NotNil(t, transport.Proxy)
	require.Zero(t, transport.MaxIdleConns, "no limit")
	require.Equal(t, 500, transport.MaxIdleConnsPerHost)
	require.Equal(t, writeBuffer, transport.WriteBufferSize)
	timeout, set := got.GetReadTimeout()
	require.True(t, set)
	require.Equal(t, time.Second, timeout)
	require.NotEqual(t, writeBuffer, given.GetTransport().WriteBufferSize, "the given client is unchanged")

	own := &http.Client{}
	require.Same(t, own, HTTPClient(own).(oneWrite).client)
	require.Equal(t, HTTPClient(own), HTTPClient(HTTPClient(own)))
}
