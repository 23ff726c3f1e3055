package transport

import (
	"context"
	"net/http"
)

// Server answers requests.
type Server interface {
	// Arrive is told of a request before anything happens to it.
	Arrive(*Request) Exchange
}

// Exchange is one request's way to its reply. Its methods are called in the order in which they stand here.
type Exchange interface {
	// Connect says why no connection is made, by an error that is [ErrRefused]: then nothing of the request leaves the client. nil is that one is.
	Connect(context.Context) error
	// Answer applies the request and returns what comes back. It returns promptly when the context, the client's, ends.
	Answer(context.Context) Reply
}

// Request is a request as it came in.
type Request struct {
	Service    string // such as "DynamoDB_20120810"
	Operation  string // such as "GetItem"
	Body       []byte
	TooLarge   bool   // than can be read; there is no Body then
	Invocation string // the client's own id of the call, the same in all its attempts; "" where it sends none
	Attempt    int    // of the call, from 1; 0 where the client does not count
}

// Reply is what comes back.
type Reply struct {
	Status    int
	RequestID string
	Body      []byte

	Loss          Loss
	Cut           bool // the body ends in the middle
	WrongChecksum bool
}

// Loss is a reply that does not come.
type Loss uint8

// The ways in which a reply can be lost.
const (
	NotLost   Loss = iota
	Reset          // the connection is reset
	Abandoned      // the client's context has ended
)

const (
	contentType    = "application/x-amz-json-1.0"
	headerTarget   = "X-Amz-Target"
	headerAttempt  = "Amz-Sdk-Request"
	headerCall     = "Amz-Sdk-Invocation-Id"
	headerChecksum = "X-Amz-Crc32"
	headerID       = "X-Amzn-Requestid"
)

// delivered is how much of the body reaches the client.
func (r *Reply) delivered() []byte {
	if r.Cut {
		return r.Body[:len(r.Body)/2]
	}
	return r.Body
}

// header writes the reply's header.
func (r *Reply) header(h http.Header) {
	values := [...]string{contentType, r.RequestID, r.checksum(), r.length()}
	h["Content-Type"] = values[0:1:1]
	h[headerID] = values[1:2:2]
	h[headerChecksum] = values[2:3:3]
	h["Content-Length"] = values[3:4:4]
}
