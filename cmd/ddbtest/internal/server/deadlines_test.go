package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/databases"
	"github.com/trestledb/trestle/ddbtest"
)

// pipes is a listener inside a bubble of testing/synctest.
type pipes struct {
	conns chan net.Conn
	ended chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ended:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.ended); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// databasesOf returns databases with a rule that delays each request by an hour.
func databasesOf(t *testing.T) *databases.Databases {
	t.Helper()
	dbs, err := databases.New(databases.Config{})
	require.NoError(t, err)
	db, err := dbs.Open(databases.Key{AccessKey: "one", Region: "us-east-1"})
	require.NoError(t, err)
	db.DB.Fail(ddbtest.Op("ListTables"), ddbtest.Delay(time.Hour))
	return dbs
}

// serve runs a server whose requests are delayed by an hour, and returns a connection.
func serve(t *testing.T, change func(*http.Server)) net.Conn {
	t.Helper()
	server := newHTTPServer((&Server{Databases: databasesOf(t), Origins: Origins{"*"}}).Handler())
	change(server)
	listener := newPipes()
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	client, conn := net.Pipe()
	listener.conns <- conn
	t.Cleanup(func() {
		_ = client.Close()
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return client
}

const header = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" +
	"Authorization: AWS4-HMAC-SHA256 Credential=one/20260101/us-east-1/dynamodb/aws4_request\r\nContent-Length: 2\r\n\r\n"

// exchange writes to a connection and returns what is read until the first reply, or its end.
func exchange(t *testing.T, conn net.Conn, text string) (status int, after time.Duration) {
	t.Helper()
	begin := time.Now()
	go func() { _, _ = io.Copy(conn, strings.NewReader(text)) }()
	reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, time.Since(begin)
	}
	defer reply.Body.Close()
	_, err = io.ReadAll(reply.Body)
	require.NoError(t, err)
	return reply.StatusCode, time.Since(begin)
}

func same(*http.Server) {}

// TestNoLimitEndsADelay checks that a request may be delayed longer than every limit, twice on one
// connection.
func TestNoLimitEndsADelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := serve(t, same)
		for range 2 {
			status, after := exchange(t, conn, header+"{}")
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, time.Hour, after)
		}
	})
}

// TestWriteTimeoutEndsADelay is the negative control: the usual limit of an http.Server ends a
// delay.
func TestWriteTimeoutEndsADelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		status, _ := exchange(t, serve(t, func(s *http.Server) {
			s.WriteTimeout = time.Minute
			s.Handler = (&Server{Databases: databasesOf(t), Origins: Origins{"*"}}).Handler()
		}), header+"{}")
		require.NotEqual(t, http.StatusOK, status)
	})
}

// TestSlowClients checks that a client that stops in its header, in its body or between requests
// does not keep its connection.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		after time.Duration
	}{
		{header[:20], headerTimeout},
		{header + "{", requestTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			status, after := exchange(t, serve(t, same), c.text)
			require.NotEqual(t, http.StatusOK, status)
			require.Equal(t, c.after, after)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		conn := serve(t, same)
		status, _ := exchange(t, conn, header+"{}")
		require.Equal(t, http.StatusOK, status)
		begin := time.Now()
		_, err := conn.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, idleTimeout, time.Since(begin))
	})
}

// TestSlowReader checks that a client that does not read its reply does not keep its connection.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		conn := serve(t, same)
		_, err := io.WriteString(conn, header+"{}")
		require.NoError(t, err)
		<-time.After(time.Hour + 2*replyTimeout)
		_, err = http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // there is none
		require.Error(t, err)
	})
}
