package transport_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// sender sends requests as the SDK for Go does.
type sender struct {
	handler transport.Handler
	server  *fake
}

func newSender(reply transport.Reply) *sender {
	server := &fake{reply: reply}
	return &sender{transport.Handler{Server: server, Sent: new(transport.Sent)}, server}
}

// send sends an attempt of a call over a connection, and reports whether it reached the server.
func (s *sender) send(t *testing.T, connection, call string, attempt int, change ...func(*http.Request)) (arrived bool) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"a":1}`))
	r.RemoteAddr = connection
	for name, value := range map[string]string{
		"X-Amz-Target": "DynamoDB_20120810.UpdateItem", "User-Agent": "aws-sdk-go-v2/1.47.7 ua/2.1 lang/go#1.26.8",
		"Amz-Sdk-Invocation-Id": call, "Amz-Sdk-Request": "attempt=" + strconv.Itoa(attempt) + "; max=3",
	} {
		r.Header.Set(name, value)
	}
	for _, c := range change {
		c(r)
	}
	before := len(s.server.arrived())
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	require.Equal(t, s.server.reply.Status, w.Code)
	require.Equal(t, string(s.server.reply.Body), w.Body.String())
	return len(s.server.arrived()) > before
}

func large(bytes int) transport.Reply {
	return transport.Reply{Status: http.StatusOK, Body: []byte(strings.Repeat("x", bytes))}
}

func TestRepeatedAttemptGetsTheSameReply(t *testing.T) {
	t.Parallel()
	s := newSender(large(5_000))
	require.True(t, s.send(t, "a", "call 1", 1))
	require.False(t, s.send(t, "b", "call 1", 2))
	require.False(t, s.send(t, "c", "call 1", 3))
	require.True(t, s.send(t, "d", "call 2", 1), "another call")
	require.True(t, s.send(t, "e", "call 3", 2), "its first attempt did not arrive")
	require.True(t, s.send(t, "f", "call 1", 1), "it says that it is no repetition")
}

// TestRepetitionIsTheSameRequest checks that an equal invocation ID is not enough.
func TestRepetitionIsTheSameRequest(t *testing.T) {
	t.Parallel()
	s := newSender(large(5_000))
	require.True(t, s.send(t, "a", "call", 1))
	require.True(t, s.send(t, "b", "call", 2, func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem") }))
	require.True(t, s.send(t, "c", "call", 2, func(r *http.Request) {
		r.Body, r.ContentLength = http.NoBody, 0
	}))
}

func TestRepliesThatAreNotKept(t *testing.T) {
	t.Parallel()
	ruled := large(5_000)
	ruled.Ruled = true
	failed := large(5_000)
	failed.Status = http.StatusInternalServerError
	for name, reply := range map[string]transport.Reply{"small": large(3_000), "of a rule": ruled, "an error": failed} {
		s := newSender(reply)
		require.True(t, s.send(t, "a", "call", 1), name)
		require.True(t, s.send(t, "b", "call", 2), name)
	}
	for name, change := range map[string]func(*http.Request){
		"another SDK": func(r *http.Request) { r.Header.Set("User-Agent", "Boto3/1.40 md/Botocore#1.40") },
		"HTTP/2":      func(r *http.Request) { r.ProtoMajor = 2 },
		"without ID":  func(r *http.Request) { r.Header.Del("Amz-Sdk-Invocation-Id") },
	} {
		s := newSender(large(5_000))
		require.True(t, s.send(t, "a", "call", 1, change), name)
		require.True(t, s.send(t, "b", "call", 2, change), name)
	}
}

// TestReplyIsKeptUntilTheNextRequest checks that a client which sends another request over a
// connection has read the last reply.
func TestReplyIsKeptUntilTheNextRequest(t *testing.T) {
	t.Parallel()
	s := newSender(large(5_000))
	require.True(t, s.send(t, "a", "call 1", 1))
	require.True(t, s.send(t, "b", "call 2", 1))
	require.True(t, s.send(t, "a", "call 3", 1))
	require.True(t, s.send(t, "c", "call 1", 2), "read over a")
	require.False(t, s.send(t, "d", "call 2", 2))
	require.False(t, s.send(t, "e", "call 3", 2))
}

// TestKeptRepliesHaveALimit checks that the oldest replies are forgotten.
func TestKeptRepliesHaveALimit(t *testing.T) {
	t.Parallel()
	s := newSender(large(1 << 20))
	for n := range 40 {
		require.True(t, s.send(t, "first "+strconv.Itoa(n), strconv.Itoa(n), 1))
	}
	for n := range 40 {
		call := strconv.Itoa(39 - n) // the newest first
		require.Equal(t, n >= 32, s.send(t, "second "+strconv.Itoa(n), call, 2), n)
		if n >= 32 {
			break // that reply replaced another one
		}
	}
}

// TestLargeRepliesAreHeld checks when a reply is sent: after the client has had the time to end its
// request. The time that the request took counts.
func TestLargeRepliesAreHeld(t *testing.T) {
	t.Parallel()
	const held = 300 * time.Microsecond
	synctest.Test(t, func(t *testing.T) {
		takes := func(reply transport.Reply, change ...func(*http.Request)) time.Duration {
			s := newSender(reply)
			start := time.Now()
			s.send(t, "a", "call", 1, change...)
			return time.Since(start)
		}
		require.Equal(t, held, takes(large(5_000)))
		require.Zero(t, takes(large(3_000)))
		require.Zero(t, takes(large(5_000), func(r *http.Request) { r.Header.Set("User-Agent", "Boto3/1.40") }))

		slow := newSender(large(5_000))
		slow.server.duration = held / 3
		start := time.Now()
		slow.send(t, "a", "call", 1)
		require.Equal(t, held, time.Since(start))
		slow.server.duration = 2 * held
		start = time.Now()
		slow.send(t, "a", "call 2", 1)
		require.Equal(t, 2*held, time.Since(start))
	})
}
