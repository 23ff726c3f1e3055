package exec

import (
	"context"
	"net/http/httptrace"
	"sync"
	"time"
)

// attemptContext is the context of one attempt. It ends after the timeout of the attempt, and
// traces the connection. The timer and the trace are made when they are asked for first: a
// transport in the process needs neither.
type attemptContext struct {
	parent   context.Context //nolint:containedctx // it is a context
	deadline time.Time

	sent      bool // the attempt reached the transport
	dialing   bool // the transport requested a connection
	connected bool // the transport got a connection

	mu     sync.Mutex
	timed  context.Context //nolint:containedctx // the parent with the deadline; nil: without a timer
	cancel context.CancelFunc
	ended  bool
	trace  *httptrace.ClientTrace // nil: not traced
}

// Deadline returns the end of the attempt's timeout, or an earlier deadline of the call.
func (c *attemptContext) Deadline() (time.Time, bool) {
	if d, ok := c.parent.Deadline(); ok && d.Before(c.deadline) {
		return d, true
	}
	return c.deadline, true
}

// Done returns the channel that is closed when the attempt must end.
func (c *attemptContext) Done() <-chan struct{} { return c.withTimer().Done() }

// Err returns why the attempt must end, or nil.
func (c *attemptContext) Err() error {
	if c.untimed() && c.parent.Err() == nil && time.Now().Before(c.deadline) {
		return nil
	}
	return c.withTimer().Err()
}

// Value returns the trace, or a value of the call.
func (c *attemptContext) Value(key any) any {
	switch {
	case key == traceKey:
		return c.traced()
	case key == callKey:
		return c.parent
	case c.untimed():
		return c.parent.Value(key)
	default:
		return c.withTimer().Value(key)
	}
}

// untimed reports whether the attempt goes on without a timer.
func (c *attemptContext) untimed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timed == nil && !c.ended
}

// withTimer returns the parent with the deadline.
func (c *attemptContext) withTimer() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timed == nil {
		c.timed, c.cancel = context.WithDeadline(c.parent, c.deadline)
		if c.ended {
			c.cancel()
		}
	}
	return c.timed
}

// end ends the context, and stops its timer.
func (c *attemptContext) end() {
	c.mu.Lock()
	c.ended = true
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// traced returns the trace of the connection. It also calls the functions of a trace of the call.
func (c *attemptContext) traced() *httptrace.ClientTrace {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trace == nil {
		c.trace = &httptrace.ClientTrace{
			GetConn: func(string) { c.dialing = true },
			GotConn: func(httptrace.GotConnInfo) { c.connected = true },
		}
		httptrace.WithClientTrace(c.parent, c.trace)
	}
	return c.trace
}

// callKey is the key of the context of the call. Package ddbtest/explore asks for it: the deadline
// of an attempt is not that of the call.
const callKey = "trestle: the context of the call"

// traceKey is the key of traces in contexts.
var traceKey = func() any {
	var k keyOfTrace
	httptrace.ContextClientTrace(&k)
	return k.key
}()

// keyOfTrace is a context that keeps the last key.
type keyOfTrace struct {
	context.Context //nolint:containedctx // it is a context
	key             any
}

func (k *keyOfTrace) Value(key any) any {
	k.key = key
	return nil
}
