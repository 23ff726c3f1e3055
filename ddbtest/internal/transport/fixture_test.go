package transport_test

import (
	"context"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// fake is a server with one fixed behavior.
type fake struct {
	refuse  bool
	hang    bool // until the client's context ends
	reply   transport.Reply
	started chan struct{} // closed when the first request is being served; may be nil

	duration time.Duration // of each request

	mu       sync.Mutex
	requests []transport.Request
}

func (f *fake) Accept(r transport.Request) transport.Exchange {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r)
	return &exchange{f}
}

func (f *fake) arrived() []transport.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

type exchange struct{ f *fake }

func (e *exchange) Connect(context.Context) error {
	if e.f.refuse {
		return transport.ErrRefused
	}
	return nil
}

func (e *exchange) Reply(ctx context.Context) transport.Reply {
	if e.f.started != nil {
		close(e.f.started)
	}
	if e.f.duration > 0 {
		<-time.After(e.f.duration) // in a bubble
	}
	if e.f.hang {
		<-ctx.Done()
		return transport.Reply{Loss: transport.Canceled}
	}
	return e.f.reply
}
