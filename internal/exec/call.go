package exec

import (
	"context"
	"errors"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Call is a running operation. Its Event is updated after each request.
type Call struct {
	trestle.Event
	Config *Config

	members   []op.Member    // of a transaction of several operations
	hasToken  bool           // the caller's, with which it may have made earlier calls
	failed    []failedAction // the actions for which the last transaction was canceled
	requestID string         // of the last response
	began     time.Time
	ended     bool
}

// NewCall returns an operation that has sent nothing. p is the plan of the entity, or nil for
// several entities or none. The outcome is NotApplied for a write and NoWrite for any other
// operation.
func NewCall(c *Config, info trestle.OperationInfo, p *core.Plan, outcome trestle.Outcome) Call {
	if p != nil {
		info.Entity = p.Name
	}
	return Call{Event: trestle.Event{OperationInfo: info, Outcome: outcome}, Config: c}
}

// Start notifies the observer that the operation starts. It returns the context of the operation's
// requests.
func (c *Call) Start(ctx context.Context) context.Context {
	if c.Config.Observer == nil {
		return ctx
	}
	c.began = time.Now()
	if own := c.Config.Observer.Start(ctx, c.OperationInfo); own != nil {
		return own
	}
	return ctx
}

// End notifies the observer that the operation has ended, once. The context is the one that Start
// returned. An error that is no *trestle.OpError is the caller's own: the operation succeeded.
func (c *Call) End(ctx context.Context, err error) {
	if c.ended {
		return
	}
	c.ended = true
	if c.Config.Observer == nil {
		return
	}
	c.Duration = time.Since(c.began)
	var e *trestle.OpError
	switch {
	case errors.Is(err, ErrAborted):
		e = c.aborted()
	case !errors.As(err, &e):
		if c.Outcome != trestle.NoWrite {
			c.Outcome = trestle.Applied
		}
		c.Config.Observer.End(ctx, c.Event)
		return
	}
	c.Err, c.Outcome = e, e.Outcome
	c.Config.Observer.End(ctx, c.Event)
}

// Observe calls f to execute the operation, and notifies the observer before and after. f receives
// the context of the operation's requests.
func (c *Call) Observe(ctx context.Context, f func(context.Context) error) (err error) {
	ctx = c.Start(ctx)
	err = ErrAborted
	defer func() { c.End(ctx, err) }()
	return f(ctx)
}

// ErrAborted is the error of an operation that did not return to its caller.
var ErrAborted = &errs.ValidationError{Problems: []errs.Problem{{Reason: "the call panicked, or its goroutine ended"}}}

// aborted returns the error of an operation that ended with a panic or runtime.Goexit.
func (c *Call) aborted() *trestle.OpError {
	e := c.failure(ErrAborted)
	if e.Outcome == trestle.NotApplied || e.Outcome == trestle.Unknown {
		e.Outcome, e.Kind = trestle.Unknown, errs.Unknown
	}
	return e
}

// Fail returns the error of the operation for an error that is not DynamoDB's.
func (c *Call) Fail(err error) *trestle.OpError {
	e := c.failure(err)
	e.Kind, e.Err = errs.Classify(err)
	e.RequestID = c.requestID
	return e
}

// FailAt is Fail for an error of the item with that key.
func (c *Call) FailAt(key map[string]core.AV, err error) *trestle.OpError {
	e := c.Fail(err)
	e.Key = key
	return e
}

// failMembers returns the error of the operation for errors of its members: of writes that are not
// sent, or of an item that was read. It returns nil if err is no such error.
func (c *Call) failMembers(err error) *trestle.OpError {
	var list op.MemberErrors
	if !errors.As(err, &list) || c.members == nil {
		return nil
	}
	if c.Outcome == trestle.NoWrite { // an item that cannot be decoded
		return c.memberError(list[0].Member, c.Fail(list[0].Err))
	}
	canceled := &trestle.CanceledError{}
	for _, m := range list {
		canceled.Failures = append(canceled.Failures, trestle.Failure{Operation: m.Member, Err: c.memberError(m.Member, c.Fail(m.Err))})
	}
	return c.failure(canceled)
}

// failure returns an error of the operation, with the outcome so far.
func (c *Call) failure(err error) *trestle.OpError {
	return &trestle.OpError{
		Op: c.Operation, Entity: c.Entity, Table: c.Table, Index: c.Index, Outcome: c.Outcome, Attempts: c.Attempts, Err: err,
	}
}
