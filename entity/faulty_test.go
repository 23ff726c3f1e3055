package entity_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/engines"
)

// fault is what happens to one attempt.
type fault struct {
	name  string
	after bool // the engine applied the write
	// reply is the reply to the client; nil: a truncated body of the engine's reply.
	reply reply
	known bool // the client can be certain that the write was not applied
	again bool // an idempotent request is retried
}

var errReset = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

func breaks(err error) reply { return func(request) (*http.Response, error) { return nil, err } }

// faults returns all faults except timeouts.
func faults() []fault {
	internal := refuses(500, "InternalServerError", "m")(request{})
	unavailable := refuses(503, "ServiceUnavailable", "m")(request{})
	return []fault{
		{"drop-before", false, breaks(errReset), false, true},
		{"drop-after", true, breaks(errReset), false, true},
		{"500-before", false, internal, false, true},
		{"500-after", true, internal, false, true},
		{"503-before", false, unavailable, false, true},
		{"503-after", true, unavailable, false, true},
		{"end of file after", true, breaks(io.ErrUnexpectedEOF), false, true},
		{"truncated", true, nil, false, true},
		{"throttled", false, refuses(400, "ProvisionedThroughputExceededException", "m")(request{}), true, true},
		{"throttled by the account", false, refuses(400, "ThrottlingException", "m")(request{}), true, true},
		{"conflict", false, refuses(400, "TransactionConflictException", "m")(request{}), true, true},
		{"refused connection", false, breaks(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}), true, true},
	}
}

// faulty wraps the transport of an engine. While a fault is set, the first write has the fault.
type faulty struct {
	next  dynamodb.HTTPClient
	fault atomic.Pointer[fault]
	then  func()       // called after the fault, before the client gets the reply
	sent  atomic.Int64 // attempts of writes
}

func (f *faulty) Do(r *http.Request) (*http.Response, error) {
	q := requestOf(r)
	switch q.verb {
	case "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem":
	default:
		return f.next.Do(r)
	}
	f.sent.Add(1)
	now := f.fault.Swap(nil)
	if now == nil {
		return f.next.Do(r)
	}
	if f.then != nil {
		defer f.then()
	}
	if !now.after {
		return now.reply(q)
	}
	res, err := f.next.Do(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if now.reply != nil {
		return now.reply(q)
	}
	res.Body = io.NopCloser(bytes.NewReader(text[:len(text)-1]))
	res.ContentLength = int64(len(text) - 1)
	res.Header.Del("X-Amz-Crc32")
	return res, nil
}

// newFaulty returns a client of the engine whose writes can be made to fail.
func newFaulty(t testing.TB, e engines.Engine) (*dynamodb.Client, *faulty) {
	t.Helper()
	f := &faulty{}
	return e.Client(t, func(o *dynamodb.Options) { f.next, o.HTTPClient = o.HTTPClient, f }), f
}
