// Package testfaults lets the requests of a test fail as they fail on a network, on every engine:
// the request or its reply is lost or late, or DynamoDB rejects the request.
package testfaults

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Fault is what happens to one attempt.
type Fault struct {
	Name  string
	After bool // the engine applied the write
	// Reply is the reply to the client; nil: a truncated body of the engine's reply.
	Reply   Reply
	Known   bool // the client can be certain that the write was not applied
	Retried bool // an idempotent request is retried: by the SDK, except for a truncated body
}

// Reply is the reply of the service or the network to an attempt.
type Reply func(*http.Request) (*http.Response, error)

// ErrReset is the error of a connection that was reset.
var ErrReset = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

// All returns all faults except timeouts.
func All() []Fault {
	internal := rejects(500, "InternalServerError")
	unavailable := rejects(503, "ServiceUnavailable")
	return []Fault{
		{"drop-before", false, breaks(ErrReset), false, true},
		{"drop-after", true, breaks(ErrReset), false, true},
		{"500-before", false, internal, false, true},
		{"500-after", true, internal, false, true},
		{"503-before", false, unavailable, false, true},
		{"503-after", true, unavailable, false, true},
		{"end of file after", true, breaks(io.ErrUnexpectedEOF), false, true},
		{"truncated", true, nil, false, true},
		{"throttled", false, rejects(400, "ProvisionedThroughputExceededException"), true, true},
		{"throttled by the account", false, rejects(400, "ThrottlingException"), true, true},
		{"conflict", false, rejects(400, "TransactionConflictException"), true, true},
		{"refused connection", false, breaks(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}), true, true},
	}
}

func breaks(err error) Reply { return func(*http.Request) (*http.Response, error) { return nil, err } }

// rejects returns an error reply of the service.
func rejects(status int, code string) Reply {
	return func(r *http.Request) (*http.Response, error) {
		body := fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"m"}`, code)
		return &http.Response{
			StatusCode: status, Status: http.StatusText(status), Request: r, ContentLength: int64(len(body)),
			Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Requestid": {"REQ1"}},
			Body:   io.NopCloser(strings.NewReader(body)),
		}, nil
	}
}

// Transport wraps the transport of a client. While Fault is set, the first write has the fault.
type Transport struct {
	next  dynamodb.HTTPClient
	Fault atomic.Pointer[Fault]
	Then  func()       // called after the fault, before the client gets the reply; may be nil
	Sent  atomic.Int64 // attempts of writes
	All   atomic.Int64 // attempts of all requests
}

// Install is an option of a client that sends its requests with the transport.
func (t *Transport) Install(o *dynamodb.Options) { t.next, o.HTTPClient = o.HTTPClient, t }

// Do sends a request, or lets it fail.
func (t *Transport) Do(r *http.Request) (*http.Response, error) {
	t.All.Add(1)
	switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
	case "PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem":
	default:
		return t.next.Do(r)
	}
	t.Sent.Add(1)
	now := t.Fault.Swap(nil)
	if now == nil {
		return t.next.Do(r)
	}
	if t.Then != nil {
		defer t.Then()
	}
	if !now.After {
		return now.Reply(r)
	}
	res, err := t.next.Do(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if now.Reply != nil {
		return now.Reply(r)
	}
	res.Body = io.NopCloser(bytes.NewReader(text[:len(text)-1]))
	res.ContentLength = int64(len(text) - 1)
	res.Header.Del("X-Amz-Crc32")
	return res, nil
}
