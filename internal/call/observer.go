package call

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Observer is notified when an operation starts and when it has ended.
type Observer interface {
	// Start returns the context that the operation runs in; nil stands for the one that it is
	// given.
	Start(context.Context, Info) context.Context
	// End is called once for each Start, with the context that Start returned.
	End(context.Context, Event)
}

// Info is what is known of an operation when it starts.
type Info struct {
	Operation string
	Entity    string
	Table     string // empty: several tables
	Access    string
	Index     string
}

// Event is an operation that has ended.
type Event struct {
	Info
	Items       int
	Scanned     int // items that a query or scan read, before any filter
	Skipped     int // the library's own items
	Unknown     int // items of no registered type that had no place
	Unprocessed int // keys that came back unprocessed, counted each time
	Requests    int
	Attempts    int
	Throttled   []string // the service's reasons for throttling an attempt, each once
	Capacity    op.Capacity
	Outcome     op.Outcome
	Duration    time.Duration
	Err         error // a *Failure, or nil
}

// ongoing is an operation under way. Its Event is filled in as its requests return.
type ongoing struct {
	Event
	Env  *Env
	Plan *core.Plan // of the entity; nil: of several, or of none
}

// start makes an operation of which nothing was sent: the outcome is NotApplied for a write, and
// NoWrite for any other.
func start(e *Env, info Info, p *core.Plan, outcome op.Outcome) ongoing {
	if p != nil {
		info.Entity = p.Name
	}
	return ongoing{Event: Event{Info: info, Outcome: outcome}, Env: e, Plan: p}
}

// Observe runs f, which carries the operation out, between the two notifications of the observer. f
// gets the context that the observer returned. The error is f's own. One that is no *Failure is the
// caller's: the operation has succeeded.
func (o *ongoing) Observe(ctx context.Context, f func(context.Context) error) (err error) {
	if o.Env.Observer == nil {
		return f(ctx)
	}
	began := time.Now()
	if c := o.Env.Observer.Start(ctx, o.Info); c != nil {
		ctx = c
	}
	err = errAborted
	defer func() {
		o.Duration = time.Since(began)
		o.settle(err)
		o.Env.Observer.End(ctx, o.Event)
	}()
	return f(ctx)
}

// errAborted stands for the error of a function that did not return.
var errAborted = &fail.Refusal{Problems: []fail.Problem{{Reason: "the call panicked, or its goroutine ended"}}}

// settle enters into the event how the operation ended.
func (o *ongoing) settle(err error) {
	var f *Failure
	switch {
	case errors.Is(err, errAborted):
		f = o.aborted()
	case !errors.As(err, &f):
		o.Outcome = applied(o.Outcome)
		return
	}
	o.Err, o.Outcome = f, f.Outcome
}

// aborted is the failure of an operation that a panic or runtime.Goexit ended.
func (o *ongoing) aborted() *Failure {
	f := o.failure(errAborted)
	if f.Outcome == op.NotApplied {
		f.Outcome, f.Kind = op.Unknown, fail.Unknown
	}
	return f
}

// applied is the outcome of an operation that succeeded.
func applied(o op.Outcome) op.Outcome {
	if o == op.NoWrite {
		return o
	}
	return op.Applied
}

// sent counts a request. One of which the recorder saw no attempt was not sent.
func (o *ongoing) sent(a *attempts) {
	o.Attempts += a.n
	o.Throttled = merge(o.Throttled, a.throttled...)
	if a.n > 0 || !a.watched {
		o.Requests++
	}
}

// failure makes a failure of an error, with the outcome so far.
func (o *ongoing) failure(err error) *Failure {
	return &Failure{
		Operation: o.Operation, Plan: o.Plan, Entity: o.Entity, Table: o.Table, Index: o.Index,
		Outcome: o.Outcome, Attempts: o.Attempts, Err: err,
	}
}
