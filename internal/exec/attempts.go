package exec

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// attempts limits the duration of each attempt of one request and records its outcome. The SDK
// retries by itself, and its last error does not report whether an earlier attempt was applied.
//
// One value holds all that a request adds to the SDK's options, so that it is one allocation.
type attempts struct {
	timeout time.Duration
	repeat  repetition
	random  *Random // of pauses after conflicts

	watched   bool // the client runs the middleware
	n         int
	conflicts int             // the attempts that failed because of a conflict
	began     time.Time       // of the first attempt
	current   *attemptContext // nil: no attempt has begun
	ever      bool            // any attempt reached the transport
	outcome   trestle.Outcome // of all attempts so far
	lost      bool            // an attempt may have been applied, but has no reply
	denied    bool            // DynamoDB has applied no transaction with the token
	throttled []string        // DynamoDB's reasons for throttling an attempt, each once
	last      error           // of the last attempt that failed by itself, not with the caller's context

	reader *itemReader // of the items of replies; nil: the SDK reads them

	user    []func(*dynamodb.Options)
	client  dynamodb.HTTPClient // sends the requests
	first   attemptContext
	retryer guarded
	items   itemReader // the value of reader
	list    [1]func(*dynamodb.Options)
	stack   [2]func(*middleware.Stack) error
}

func newAttempts(c *Config, repeat repetition, in any) *attempts {
	a := &attempts{timeout: c.AttemptTimeout(), repeat: repeat, random: c.Random, outcome: trestle.NotApplied}
	if c.readsItems(in) {
		a.reader = &a.items
	}
	return a
}

// options returns the options of the request, which include the user's own.
func (a *attempts) options(user []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	a.user, a.list[0] = user, a.configure
	return a.list[:]
}

// configure calls the user's options, which may set a retryer. It then adds the middleware around
// each attempt, and wraps the retryer and the transport.
func (a *attempts) configure(o *dynamodb.Options) {
	if o.HTTPClient == dynamodb.HTTPClient((*transport)(a)) {
		return // a client called the options twice
	}
	maxOfClient := o.RetryMaxAttempts
	for _, f := range a.user {
		f(o)
	}
	if n := o.RetryMaxAttempts; n != maxOfClient && n != 0 && o.Retryer != nil {
		// The SDK would do the same, but around the guard.
		o.Retryer, o.RetryMaxAttempts = retry.AddWithMaxAttempts(o.Retryer, n), maxOfClient
	}
	o.Retryer = a.guard(o.Retryer)
	o.APIOptions = append(append(a.stack[:0], o.APIOptions...), a.install)
	if o.HTTPClient != nil {
		a.client, o.HTTPClient = o.HTTPClient, (*transport)(a)
	}
	a.reader.install(o)
}

func (a *attempts) install(stack *middleware.Stack) error {
	a.watched = true
	return stack.Finalize.Insert((*attemptMiddleware)(a), "Retry", middleware.After)
}

// attemptMiddleware runs around each attempt.
type attemptMiddleware attempts

func (*attemptMiddleware) ID() string { return "TrestleAttempt" }

func (m *attemptMiddleware) HandleFinalize(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
	a := (*attempts)(m)
	bounded := a.begin(ctx)
	defer bounded.end()
	out, meta, err := next.HandleFinalize(bounded, in)
	a.record(err)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil && !answered(err) {
		err = &timeoutError{after: a.timeout}
	}
	if err != nil && (ctx.Err() == nil || answered(err)) {
		a.last = err
	}
	return out, meta, err
}

// withCause returns the error of a request. If the caller's context ended before a retry succeeded,
// the error of the last attempt is added, because it tells why the time was too short.
func (a *attempts) withCause(ctx context.Context, err error) error {
	if err == nil || a.last == nil || ctx.Err() == nil || errors.Is(err, a.last) || answered(err) {
		return err
	}
	return errs.Ended(err, a.last)
}

// begin returns the context of a new attempt.
func (a *attempts) begin(ctx context.Context) *attemptContext {
	now := time.Now()
	if a.n++; a.n == 1 {
		a.began, a.current = now, &a.first
	} else {
		a.current = &attemptContext{}
	}
	a.current.parent, a.current.deadline = ctx, now.Add(a.timeout)
	return a.current
}

// transport notes that an attempt reached the transport.
type transport attempts

// Do implements [dynamodb.HTTPClient]. If the context has ended already, it sends nothing, so that
// the write is not unknown.
func (t *transport) Do(r *http.Request) (*http.Response, error) {
	t.ever = true
	if err := r.Context().Err(); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	if t.current != nil {
		t.current.sent = true
	}
	return t.client.Do(r)
}

// left reports whether the request may have been sent: it reached the transport, and the transport
// got a connection if it requested one.
func (a *attempts) left() bool {
	c := a.current
	return c.sent && (c.connected || !c.dialing)
}

// record adds an attempt to the outcome. An attempt that may have been applied makes the outcome
// unknown until a later attempt succeeds.
func (a *attempts) record(err error) {
	if err != nil {
		a.denied = a.denied || Denied(err)
		a.throttled = noteThrottling(a.throttled, err)
		if kindOfConflict(err) != noConflict {
			a.conflicts++
		}
	}
	if o := attemptOutcome(a.left(), err); o != trestle.NotApplied {
		a.outcome, a.lost = o, a.lost || o == trestle.Unknown
	}
}

// result returns the outcome of a request that ended with err.
func (a *attempts) result(err error) trestle.Outcome {
	switch {
	case err == nil:
		return trestle.Applied
	case !a.watched: // a client without middleware: only its error is known
		return attemptOutcome(true, err)
	default:
		return a.outcome
	}
}

// answered reports whether the error is a response of DynamoDB.
func answered(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api)
}

// timeoutError is the error of an attempt that exceeded its timeout. The SDK can retry it, but does
// not retry after an ended context.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string        { return "no reply within " + e.after.String() }
func (e *timeoutError) Timeout() bool        { return true }
func (e *timeoutError) Temporary() bool      { return true }
func (e *timeoutError) RetryableError() bool { return true }
func (e *timeoutError) Unwrap() error        { return context.DeadlineExceeded }
