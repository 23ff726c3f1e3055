package exec

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Observer is notified when an operation starts and when it has ended.
type Observer interface {
	// Start returns the context for the operation. If it returns nil, the operation uses the
	// context that Start received.
	Start(context.Context, Info) context.Context
	// End is called once for each Start, with the context that Start returned.
	End(context.Context, Event)
}

// Info describes an operation at its start.
type Info struct {
	Operation string
	Entity    string
	Table     string // empty for several tables
	Access    string
	Index     string
}

// Event describes an operation that has ended.
type Event struct {
	Info
	Items       int
	Scanned     int // items that a query or scan read, before any filter
	Skipped     int // the library's own items
	Unknown     int // items of no registered type that no destination accepted
	Unprocessed int // unprocessed keys, counted once for each response
	Requests    int
	Attempts    int
	Throttled   []string // DynamoDB's reasons for throttling an attempt, each once
	Capacity    op.Capacity
	Outcome     op.Outcome
	Duration    time.Duration
	Err         error // a *Failure, or nil
}

// ongoing is a running operation. Its Event is updated after each request.
type ongoing struct {
	Event
	Env  *Config
	Plan *core.Plan // of the entity; nil for several or none
}

// start returns an operation that has sent nothing. The outcome is NotApplied for a write and
// NoWrite for any other operation.
func start(e *Config, info Info, p *core.Plan, outcome op.Outcome) ongoing {
	if p != nil {
		info.Entity = p.Name
	}
	return ongoing{Event: Event{Info: info, Outcome: outcome}, Env: e, Plan: p}
}

// Observe calls f to execute the operation, and notifies the observer before and after. f receives
// the context that the observer returned. Observe returns the error of f. If it is not a *Failure,
// it is the caller's own, and the operation counts as successful.
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

// errAborted is the error of a function that did not return.
var errAborted = &errs.ValidationError{Problems: []errs.Problem{{Reason: "the call panicked, or its goroutine ended"}}}

// settle sets the error and the outcome of the event.
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

// aborted returns the failure of an operation that ended with a panic or runtime.Goexit.
func (o *ongoing) aborted() *Failure {
	f := o.failure(errAborted)
	if f.Outcome == op.NotApplied {
		f.Outcome, f.Kind = op.Unknown, errs.Unknown
	}
	return f
}

// applied returns the outcome of an operation that succeeded.
func applied(o op.Outcome) op.Outcome {
	if o == op.NoWrite {
		return o
	}
	return op.Applied
}

// sent counts a request. A request without a recorded attempt was not sent.
func (o *ongoing) sent(a *attempts) {
	o.Attempts += a.n
	o.Throttled = merge(o.Throttled, a.throttled...)
	if a.n > 0 || !a.watched {
		o.Requests++
	}
}

// failure returns a Failure for an error, with the outcome so far.
func (o *ongoing) failure(err error) *Failure {
	return &Failure{
		Operation: o.Operation, Plan: o.Plan, Entity: o.Entity, Table: o.Table, Index: o.Index,
		Outcome: o.Outcome, Attempts: o.Attempts, Err: err,
	}
}
