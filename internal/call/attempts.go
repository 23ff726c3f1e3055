package call

import (
	"context"
	"errors"
	"net/http/httptrace"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/internal/op"
)

// attempts bounds each attempt of one request in time, and records what is known of it: the SDK retries by itself, and its last error
// says nothing of what an earlier attempt may have done.
type attempts struct {
	timeout    time.Duration
	idempotent bool // may be sent again although an earlier attempt may have been applied

	watched   bool // the client runs the recorder
	n         int
	sent      bool       // the attempt under way reached the transport,
	dialing   bool       // which asked for a connection
	connected bool       // and got one
	ever      bool       // any attempt did
	outcome   op.Outcome // of all attempts so far
	throttled []string   // the service's reasons for throttling any of them, each once
}

func newAttempts(timeout time.Duration, idempotent bool) *attempts {
	return &attempts{timeout: timeout, idempotent: idempotent, outcome: op.NotApplied}
}

// options makes the SDK run the recorder around each attempt, and ask it before it makes another. They stand after the user's own, which
// may set a retryer.
func (a *attempts) options(user []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	return append(user[:len(user):len(user)], func(o *dynamodb.Options) {
		o.Retryer = a.guard(o.Retryer)
		o.APIOptions = append(o.APIOptions, a.install)
	})
}

func (a *attempts) install(stack *middleware.Stack) error {
	a.watched = true
	attempt := middleware.FinalizeMiddlewareFunc("TrestleAttempt", a.attempt)
	if err := stack.Finalize.Insert(attempt, "Retry", middleware.After); err != nil {
		return err
	}
	return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("TrestleSend", a.send), middleware.After)
}

func (a *attempts) attempt(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
	bounded, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	a.n++
	a.sent, a.dialing, a.connected = false, false, false
	bounded = httptrace.WithClientTrace(bounded, &httptrace.ClientTrace{
		GetConn: func(string) { a.dialing = true },
		GotConn: func(httptrace.GotConnInfo) { a.connected = true },
	})
	out, meta, err := next.HandleFinalize(bounded, in)
	a.record(err)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil && !answered(err) {
		err = &timeoutError{after: a.timeout}
	}
	return out, meta, err
}

func (a *attempts) send(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
	a.sent, a.ever = true, true
	return next.HandleDeserialize(ctx, in)
}

// left reports whether the attempt's request may have left: it reached the transport, and a transport that asks for a connection and
// says so got one.
func (a *attempts) left() bool { return a.sent && (a.connected || !a.dialing) }

// record joins an attempt's outcome to what is known: one attempt that may have been applied makes all of it unknown, until one is
// acknowledged.
func (a *attempts) record(err error) {
	a.throttled = noteThrottling(a.throttled, err)
	if o := attemptOutcome(a.left(), err); o != op.NotApplied {
		a.outcome = o
	}
}

// result is the outcome of a request that ended with err.
func (a *attempts) result(err error) op.Outcome {
	switch {
	case err == nil:
		return op.Applied
	case !a.watched: // a client that runs no middleware: its error is all there is
		return attemptOutcome(true, err)
	default:
		return a.outcome
	}
}

// answered reports whether the error is the service's own word.
func answered(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api)
}

// timeoutError is an attempt that took too long. The SDK may retry it, which it does not do with an ended context.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string        { return "no reply within " + e.after.String() }
func (e *timeoutError) Timeout() bool        { return true }
func (e *timeoutError) Temporary() bool      { return true }
func (e *timeoutError) RetryableError() bool { return true }
func (e *timeoutError) Unwrap() error        { return context.DeadlineExceeded }
