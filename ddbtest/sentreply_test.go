package ddbtest_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// TestUpdatesCountOnce counts updates with large replies over TCP, with a client that drops some of
// the replies as the SDK's default client does. Every update counts once, and is one request.
//
// It fails if the database does not keep the replies.
func TestUpdatesCountOnce(t *testing.T) {
	t.Parallel()
	db := setup(t)
	counted, acknowledged := countUpdates(t, db, db, testsize.Pick(2_000, 50_000))
	require.Equal(t, acknowledged, counted)
	require.Equal(t, acknowledged, updatesIn(db))
}

// TestUpdatesCountOnceControl hides from the database that the client is one of the SDK for Go.
func TestUpdatesCountOnceControl(t *testing.T) {
	t.Parallel()
	db := setup(t)
	counted, acknowledged := countUpdates(t, db, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("User-Agent")
		db.ServeHTTP(w, r)
	}), 500)
	require.Greater(t, counted, acknowledged)
	require.Equal(t, counted, updatesIn(db))
}

// TestRuledRepliesAreNotKept checks that a reply on which a rule acted is lost for each attempt.
func TestRuledRepliesAreNotKept(t *testing.T) {
	t.Parallel()
	db := setup(t)
	rule := db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(1), ddbtest.AfterCommit(ddbtest.Reset))
	counted, acknowledged := countUpdates(t, db, db, 20)
	require.Equal(t, 1, rule.Hits())
	require.Equal(t, acknowledged+1, counted)
}

func updatesIn(db *ddbtest.DB) int {
	return db.Cost().Total("UpdateItem")
}

// countUpdates sends updates that add 1 to numbers, and whose replies have more than 4 KB. It
// returns the sum of the numbers, and how many updates succeeded.
func countUpdates(t *testing.T, db *ddbtest.DB, handler http.Handler, updates int) (counted, acknowledged int) {
	t.Helper()
	const clients = 8
	server := httptest.NewServer(handler)
	defer server.Close()
	dropping := newDroppingClient(50)
	defer dropping.client.CloseIdleConnections()
	client := db.Client(func(o *dynamodb.Options) {
		o.HTTPClient, o.BaseEndpoint = dropping, &server.URL
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.RateLimiter, o.Backoff = 10, ratelimit.None, noBackoff{}
		})
	})
	large := text(strings.Repeat("x", 6_000))
	for n := range clients {
		db.Load(t, things, thing(strconv.Itoa(n), 0, attributes{"large": large}))
	}
	var left, succeeded atomic.Int64
	left.Store(int64(updates))
	var running sync.WaitGroup
	for n := range clients {
		running.Go(func() {
			for left.Add(-1) >= 0 {
				out, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
					TableName: aws.String(things), Key: thing(strconv.Itoa(n), 0), UpdateExpression: aws.String("ADD n :one"),
					ExpressionAttributeValues: attributes{":one": number(1)}, ReturnValues: types.ReturnValueAllNew,
				})
				if err == nil && len(out.Attributes) == 4 {
					succeeded.Add(1)
				}
			}
		})
	}
	running.Wait()
	for _, item := range db.Dump(things) {
		n, err := strconv.Atoi(item["n"].(*types.AttributeValueMemberN).Value)
		require.NoError(t, err)
		counted += n
	}
	return counted, int(succeeded.Load())
}

type noBackoff struct{}

func (noBackoff) BackoffDelay(int, error) (time.Duration, error) { return 0, nil }

// droppingClient drops replies as the default HTTP client of the SDK does if the goroutine that
// writes a request does not run until the SDK closes the request's body.
type droppingClient struct {
	client *http.Client
	every  int64 // the goroutine does not run for each such request
	sent   atomic.Int64
}

func newDroppingClient(every int64) *droppingClient {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return &signalingConn{Conn: conn, closed: make(chan struct{})}, err
	}
	return &droppingClient{client: &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 10}}, every: every}
}

// Do implements [aws.HTTPClient].
func (c *droppingClient) Do(r *http.Request) (*http.Response, error) {
	if c.sent.Add(1)%c.every != 0 {
		return c.client.Do(r)
	}
	var used *signalingConn
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { used, _ = i.Conn.(*signalingConn) }}
	r.Body = &stalledBody{ReadCloser: r.Body, closed: make(chan struct{})} // the SDK closes this one
	response, err := c.client.Do(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if err == nil {
		response.Body = &lateBody{ReadCloser: response.Body, from: used.closed}
	}
	return response, err
}

// stalledBody is the body of a request. Its end is not found before it is closed.
type stalledBody struct {
	io.ReadCloser
	once   sync.Once
	closed chan struct{}
}

func (b *stalledBody) WriteTo(w io.Writer) (int64, error) {
	<-b.closed
	return b.ReadCloser.(io.WriterTo).WriteTo(w) //nolint:forcetypeassert,wrapcheck // the SDK's body
}

func (b *stalledBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.ReadCloser.Close() //nolint:wrapcheck // as without it
}

// lateBody is the body of a reply. It is read after its connection was closed.
type lateBody struct {
	io.ReadCloser
	from chan struct{}
}

func (b *lateBody) Read(p []byte) (int, error) {
	<-b.from
	return b.ReadCloser.Read(p) //nolint:wrapcheck // as without it
}

// signalingConn signals that it was closed.
type signalingConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *signalingConn) Close() error {
	defer c.once.Do(func() { close(c.closed) })
	return c.Conn.Close() //nolint:wrapcheck // as without it
}
