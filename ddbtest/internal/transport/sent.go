package transport

import (
	"context"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The default HTTP client of the SDK for Go loses replies that come too early. The SDK closes the
// body of its request as soon as it has the header of the reply. If the goroutine that writes the
// request has not run again since it wrote the last byte, it finds the body closed, takes that for
// a failed write, and closes the connection. What the client has not read of the reply by then is
// lost, and the SDK repeats the request: an ADD counts twice. Replies of at most [unreadSize] bytes
// are not lost, because they are in the memory of the client's transport by then.
//
// A network lets the goroutine run before a reply arrives. A server on the same machine replies
// within microseconds. Nothing that such a client sends tells a server that the goroutine has run.
// So a Handler holds a larger reply for [holdTime], and if the client lost it nevertheless, because
// the machine is busy, it sends the same reply to the attempt that repeats the request.

const (
	// unreadSize is the size of the buffer from which net/http reads a reply. A larger reply may be
	// lost in part. A reply's header has at most headerSize bytes of it.
	unreadSize = 4 << 10
	headerSize = 512

	// holdTime is the time between the end of a request and a reply that may be lost.
	holdTime = 300 * time.Microsecond

	// sentSize limits the memory of the replies that are kept for a repetition.
	sentSize = 32 << 20
)

// Sent holds replies that may be lost, and keeps them for the attempts that repeat their requests.
// Its zero value is ready to use.
type Sent struct {
	mu      sync.Mutex
	replies map[string]*sentReply // by the invocation ID of the request
	last    map[string]*sentReply // the last one of each connection, by the client's address
	order   []*sentReply          // the oldest first; some of them are dropped
	size    int
}

type sentReply struct {
	reply      Reply
	invocation string
	operation  string
	body       uint32 // the checksum of the request's body
	connection string
	dropped    bool
}

// mayLose reports whether the client may lose the reply to the request.
func mayLose(r *http.Request, reply *Reply) bool {
	return reply.Loss == NotLost && len(reply.Body) > unreadSize-headerSize && r.ProtoMajor == 1 &&
		strings.Contains(first(r.Header, "User-Agent"), "aws-sdk-go-v2/")
}

// repeated returns the reply to the request if it is a repetition of one whose reply is kept. A
// client that sends another request over a connection has read the last reply to the end.
func (s *Sent) repeated(r *http.Request, request *Request) (Reply, bool) {
	if s == nil {
		return Reply{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := s.last[r.RemoteAddr]; last != nil && r.ProtoMajor == 1 {
		s.drop(last)
	}
	if request.Attempt < 2 {
		return Reply{}, false
	}
	k := s.replies[request.InvocationID]
	if k == nil || k.operation != request.Operation || k.body != crc32.ChecksumIEEE(request.Body) {
		return Reply{}, false
	}
	return k.reply, true
}

// hold waits until the client has had the time to end its request, and keeps the reply for its
// repetition. A reply on which a rule acted is not kept: the rule applies to each attempt.
func (s *Sent) hold(ctx context.Context, r *http.Request, request *Request, reply *Reply, received time.Time) {
	if s == nil || !mayLose(r, reply) {
		return
	}
	if request.InvocationID != "" && reply.Status == http.StatusOK && !reply.Ruled {
		s.keep(&sentReply{
			reply: *reply, invocation: request.InvocationID, operation: request.Operation,
			body: crc32.ChecksumIEEE(request.Body), connection: r.RemoteAddr,
		})
	}
	rest := time.Until(received.Add(holdTime))
	if rest <= 0 {
		return
	}
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (s *Sent) keep(k *sentReply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replies == nil {
		s.replies, s.last = map[string]*sentReply{}, map[string]*sentReply{}
	}
	if earlier := s.replies[k.invocation]; earlier != nil {
		s.drop(earlier)
	}
	s.replies[k.invocation], s.last[k.connection] = k, k
	s.order = append(s.order, k)
	s.size += len(k.reply.Body)
	for i := 0; s.size > sentSize; i++ {
		s.drop(s.order[i])
	}
	if len(s.order) > 2*len(s.replies) {
		s.order = slices.DeleteFunc(s.order, func(k *sentReply) bool { return k.dropped })
	}
}

// drop forgets a reply.
func (s *Sent) drop(k *sentReply) {
	if k.dropped {
		return
	}
	s.size -= len(k.reply.Body)
	k.dropped, k.reply.Body = true, nil
	if s.replies[k.invocation] == k {
		delete(s.replies, k.invocation)
	}
	if s.last[k.connection] == k {
		delete(s.last, k.connection)
	}
}
