package ddbtest

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/recording"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// exchange processes one request: the effects before it is applied, its execution, and the effects
// after it.
type exchange struct {
	db          *DB
	setup       bool  // a helper sent it to set up a test
	unavailable error // why the database accepts no requests, or nil
	in          transport.Request
	request     *service.Request // nil if invalid
	invalid     error
	policy      *clientPolicy // nil if the client has none
	plan        fault.Plan
	info        Request

	call       engine.Call
	ran        bool // the operation was executed
	uses       []capacity.Use
	overridden engine.OverrideSet // the parts of the plan that the operation did
}

// Connect implements [transport.Exchange].
func (x *exchange) Connect(ctx context.Context) error {
	if x.unavailable != nil {
		return fmt.Errorf("%w: %w", x.unavailable, transport.ErrRefused)
	}
	if !x.plan.Refuse {
		return nil
	}
	if x.plan.Delay > 0 {
		_ = x.delay(ctx, x.plan.Delay)
	}
	x.finish(0)
	return transport.ErrRefused
}

// Reply implements [transport.Exchange].
func (x *exchange) Reply(ctx context.Context) (reply transport.Reply) {
	err := x.db.recoverPanic(func() error {
		reply = x.process(ctx)
		return nil
	})
	if err != nil {
		reply = x.errorReply(err)
	}
	x.finish(reply.Status)
	reply.Number, reply.Ruled = x.info.Seq, x.info.Fault != ""
	x.release()
	return reply
}

// exchanges are reusable exchanges.
var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// release reuses the exchange, which nothing refers to after its reply: what is kept for later is a
// copy.
func (x *exchange) release() {
	*x = exchange{}
	exchanges.Put(x)
}

func (x *exchange) process(ctx context.Context) transport.Reply {
	if x.plan.Delay > 0 {
		if err := x.delay(ctx, x.plan.Delay); err != nil {
			x.holdAbandoned(ctx)
			return noReply(ctx)
		}
	}
	if !x.plan.Before.IsZero() {
		if x.plan.Delivery != fault.OnTime {
			x.hold(fault.Held{Delivery: x.plan.Delivery})
		}
		return x.respond(ctx, x.plan.Before, transport.Reply{})
	}
	reply := x.run(x.plan.Overrides)
	if x.plan.DelayAfter > 0 {
		if err := x.delay(ctx, x.plan.DelayAfter); err != nil {
			return noReply(ctx)
		}
	}
	if x.plan.After.IsZero() {
		return reply
	}
	return x.respond(ctx, x.plan.After, reply)
}

// holdAbandoned keeps a delayed request for later after its client has gone. If the database is
// closed, the request is dropped.
func (x *exchange) holdAbandoned(ctx context.Context) {
	switch {
	case ctx.Err() == nil, x.request == nil:
	case x.plan.Delivery != fault.OnTime:
		x.hold(fault.Held{Delivery: x.plan.Delivery})
	case x.plan.Before.IsZero():
		x.hold(fault.Held{At: x.info.At.Add(x.plan.Delay)})
	}
}

// respond returns the reply that the client gets.
func (x *exchange) respond(ctx context.Context, r fault.Response, reply transport.Reply) transport.Reply {
	switch {
	case r.Error != nil:
		reply = x.errorReply(r.Error)
	case r.Loss == fault.Reset:
		reply = transport.Reply{Loss: transport.Reset}
	case r.Loss == fault.Hang:
		x.hang(ctx)
		reply = noReply(ctx)
	case r.Corruption == fault.Truncated:
		reply.Cut = true
	case r.Corruption == fault.WrongChecksum:
		reply.WrongChecksum = true
	case r.Corruption == fault.InvalidJSON:
		reply.Body = []byte(invalidJSON)
	}
	return reply
}

// invalidJSON begins like a reply of DynamoDB.
const invalidJSON = `{"Item":{"invalid":`

// errorReply converts an error to a reply.
func (x *exchange) errorReply(err error) transport.Reply {
	status, body, code := service.EncodeError(err)
	x.info.ErrorCode = code
	return transport.Reply{Status: status, Body: body}
}

// noReply returns the reply when the client's context has ended or the database is closed.
func noReply(ctx context.Context) transport.Reply {
	if ctx.Err() == nil {
		return transport.Reply{Loss: transport.Reset}
	}
	return transport.Reply{Loss: transport.Canceled}
}

// run applies the request, and then the held requests that waited for it.
func (x *exchange) run(overrides engine.Overrides) transport.Reply {
	if x.request == nil {
		return x.errorReply(x.invalid)
	}
	if !x.db.keeper.Enter() { // the database was closed meanwhile
		return transport.Reply{Loss: transport.Reset}
	}
	defer x.db.keeper.Leave()
	body, err := x.apply(&overrides)
	x.db.deliverAfter(x, &overrides, err == nil)
	if unkept := x.db.keep(); unkept != nil {
		err = unkept
	}
	if err != nil {
		return x.errorReply(err)
	}
	return transport.Reply{Status: http.StatusOK, Body: body}
}

// apply runs the request, unless the policy of its client refuses it. If partitions are throttled,
// it fails the request or leaves out their parts.
func (x *exchange) apply(overrides *engine.Overrides) ([]byte, error) {
	if err := x.authorize(); err != nil {
		return nil, err
	}
	loads := x.db.loads
	limited := !x.setup && loads.Limited()
	if limited {
		if err := loads.Throttle(x.info.class(), x.request.Targets, overrides); err != nil {
			return nil, err
		}
	}
	body, err := x.execute(*overrides)
	if limited && err == nil {
		if err = loads.ThrottlePage(x.info.class(), x.uses); err != nil { // the page uses no capacity
			x.uses = nil
			x.info.setUsage(new(engine.Call))
		}
	}
	if !x.setup {
		loads.Add(x.uses, x.ranAt())
	}
	return body, err
}

// ranAt returns the time when the request ran: it arrived then, if it was not delayed.
func (x *exchange) ranAt() time.Time {
	if x.plan.Delay > 0 {
		return x.db.data.Clock.Now()
	}
	return x.info.At
}

// execute runs the request and stores what it used.
func (x *exchange) execute(overrides engine.Overrides) ([]byte, error) {
	if x.in.Operation == "DeleteTable" || x.in.Operation == "UpdateTable" {
		x.db.checkRuleTables()
	}
	request := &recording.Request{Request: x.request, Body: x.in.Body, Host: x.in.Host, Overrides: overrides, Setup: x.setup}
	body, err := x.db.data.Run(request, &x.call)
	x.info.setUsage(&x.call)
	x.uses, x.overridden, x.ran = x.call.Meter.Uses(), x.call.Trace.Overridden, true
	return body, err
}

// finish records a request that has its reply.
func (x *exchange) finish(status int) {
	x.plan.KeepApplied(x.overridden)
	x.info.Status = status
	x.info.Fault = x.plan.EffectNames()
	x.info.Duration = x.db.data.Clock.Since(x.info.At)
	if x.setup {
		return
	}
	if !x.db.data.Records() {
		x.info.body = nil
	}
	x.db.usage.add(&x.info, x.uses)
}
