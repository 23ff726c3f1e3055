package ddbtest

import (
	"context"
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// exchange processes one request: the effects before it is applied, its execution, and the effects
// after it.
type exchange struct {
	db      *DB
	unseen  bool
	in      *transport.Request
	request *service.Request // nil if invalid
	invalid error
	plan    fault.Plan
	entry   Request
	ran     bool // the operation was executed
	uses    []capacity.Use
	steered engine.Steering // the parts of the plan that the operation did
}

// Connect implements [transport.Exchange].
func (x *exchange) Connect(ctx context.Context) error {
	if err := x.db.away(); err != nil {
		return fmt.Errorf("%w: %w", err, transport.ErrRefused)
	}
	if !x.plan.Refuse {
		return nil
	}
	if x.plan.Delay > 0 {
		_ = x.delay(ctx, x.plan.Delay)
	}
	x.done(0)
	return transport.ErrRefused
}

// Answer implements [transport.Exchange].
func (x *exchange) Answer(ctx context.Context) (reply transport.Reply) {
	err := x.db.guard(func() error {
		reply = x.answer(ctx)
		return nil
	})
	if err != nil {
		reply = x.refuse(err)
	}
	reply.RequestID = requestID(x.entry.Seq)
	x.done(reply.Status)
	return reply
}

func (x *exchange) answer(ctx context.Context) transport.Reply {
	if x.plan.Delay > 0 {
		if err := x.delay(ctx, x.plan.Delay); err != nil {
			x.abandon(ctx)
			return gone(ctx)
		}
	}
	if !x.plan.Before.IsZero() {
		if x.plan.Late != fault.OnTime {
			x.hold(fault.Held{When: x.plan.Late})
		}
		return x.end(ctx, x.plan.Before, transport.Reply{})
	}
	reply := x.run(x.plan.Steer)
	if x.plan.Pause > 0 {
		if err := x.delay(ctx, x.plan.Pause); err != nil {
			return gone(ctx)
		}
	}
	return x.end(ctx, x.plan.After, reply)
}

// abandon keeps a delayed request for later after its client has gone. If the database is closed,
// the request is dropped.
func (x *exchange) abandon(ctx context.Context) {
	switch {
	case ctx.Err() == nil, x.request == nil:
	case x.plan.Late != fault.OnTime:
		x.hold(fault.Held{When: x.plan.Late})
	case x.plan.Before.IsZero():
		x.hold(fault.Held{At: x.entry.At.Add(x.plan.Delay)})
	}
}

// end returns the reply that the client gets.
func (x *exchange) end(ctx context.Context, e fault.Ending, reply transport.Reply) transport.Reply {
	switch {
	case e.Error != nil:
		reply = x.refuse(e.Error)
	case e.Loss == fault.Reset:
		reply = transport.Reply{Loss: transport.Reset}
	case e.Loss == fault.Hang:
		x.hang(ctx)
		reply = gone(ctx)
	case e.Harm == fault.Truncated:
		reply.Cut = true
	case e.Harm == fault.WrongChecksum:
		reply.WrongChecksum = true
	case e.Harm == fault.Garbled:
		reply.Body = []byte(garbage)
	}
	return reply
}

// garbage begins like a reply of the service.
const garbage = `{"Item":{"garbage":`

// refuse converts an error to a reply.
func (x *exchange) refuse(err error) transport.Reply {
	status, body, code := refusal(err)
	x.entry.ErrorCode = code
	return transport.Reply{Status: status, Body: body}
}

// gone returns the reply when the client's context has ended or the database is closed.
func gone(ctx context.Context) transport.Reply {
	if ctx.Err() == nil {
		return transport.Reply{Loss: transport.Reset}
	}
	return transport.Reply{Loss: transport.Abandoned}
}
