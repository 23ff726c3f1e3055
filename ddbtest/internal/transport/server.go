package transport

import (
	"context"
)

// Server serves requests.
type Server interface {
	// Accept is called for each request before it is processed.
	Accept(Request) Exchange
}

// Exchange processes one request. Connect is called first, and then Reply. After that the exchange
// is not used, because it may be that of another request.
type Exchange interface {
	// Connect returns an error that wraps [ErrRefused] if the connection is refused. In that case
	// the request does not leave the client.
	Connect(context.Context) error
	// Reply applies the request and returns the reply. It returns promptly when the client's
	// context ends.
	Reply(context.Context) Reply
}

// Request is an incoming request.
type Request struct {
	Service   string // such as "DynamoDB_20120810"
	Operation string // such as "GetItem"
	Body      []byte
	TooLarge  bool // the body exceeds the size limit, and Body is empty
	// Undecodable reports that the body is not in its Content-Encoding, which may be unknown, or
	// exceeds the size limit after decompression. Body is empty.
	Undecodable bool
	// InvocationID is the client's ID of the call, the same for all its attempts. It is "" if the
	// client sends none.
	InvocationID string
	// Authorization is the header with the signature, which names the client's access key.
	Authorization string
	Host          string // to which it was sent
	Attempt       int    // number within the call, from 1; 0 if the client sends none
}

// Reply is the reply to a request.
type Reply struct {
	Status int
	Number int // of the request; the request ID follows from it
	Body   []byte

	Loss          Loss
	Cut           bool // the body ends in the middle
	WrongChecksum bool
	Ruled         bool // a rule acted on the request, or on the reply

	encoding string // of the body; "" if it is not compressed
}

// Loss is how a reply is lost.
type Loss uint8

// The ways in which a reply can be lost.
const (
	NotLost  Loss = iota
	Reset         // the connection is reset
	Canceled      // the client's context has ended
)

// delivered returns the part of the body that reaches the client.
func (r *Reply) delivered() []byte {
	if r.Cut {
		return r.Body[:len(r.Body)/2]
	}
	return r.Body
}
