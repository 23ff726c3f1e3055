package exec

import (
	"context"
	"errors"
	"net/http/httptrace"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle"
)

// attempts limits the duration of each attempt of one request and records its outcome. The SDK
// retries by itself, and its last error does not report whether an earlier attempt was applied.
type attempts struct {
	timeout time.Duration
	repeat  repetition
	random  *Random // of pauses after conflicts

	watched   bool // the client runs the middleware
	n         int
	conflicts int             // the attempts that failed because of a conflict
	began     time.Time       // of the first attempt
	sent      bool            // the current attempt reached the transport
	dialing   bool            // its transport requested a connection
	connected bool            // its transport got a connection
	ever      bool            // any attempt reached the transport
	outcome   trestle.Outcome // of all attempts so far
	lost      bool            // an attempt may have been applied, but has no reply
	throttled []string        // DynamoDB's reasons for throttling an attempt, each once

	reader *itemReader // of the items of replies; nil: the SDK reads them
}

func newAttempts(c *Config, repeat repetition) *attempts {
	return &attempts{timeout: c.AttemptTimeout(), repeat: repeat, random: c.Random, outcome: trestle.NotApplied}
}

// options adds the middleware around each attempt and wraps the retryer. They follow the user's own
// options, which may set a retryer.
func (a *attempts) options(user []func(*dynamodb.Options)) []func(*dynamodb.Options) {
	maxOfClient := 0
	list := make([]func(*dynamodb.Options), 0, len(user)+2)
	list = append(list, func(o *dynamodb.Options) { maxOfClient = o.RetryMaxAttempts })
	list = append(list, user...)
	return append(list, func(o *dynamodb.Options) {
		if n := o.RetryMaxAttempts; n != maxOfClient && n != 0 && o.Retryer != nil {
			// The SDK would do the same, but around the guard.
			o.Retryer, o.RetryMaxAttempts = retry.AddWithMaxAttempts(o.Retryer, n), maxOfClient
		}
		o.Retryer = a.guard(o.Retryer)
		o.APIOptions = append(o.APIOptions, a.install)
		a.reader.install(o)
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
	if a.n++; a.n == 1 {
		a.began = time.Now()
	}
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

// left reports whether the request may have been sent: it reached the transport, and the transport
// got a connection if it requested one.
func (a *attempts) left() bool { return a.sent && (a.connected || !a.dialing) }

// record adds an attempt to the outcome. An attempt that may have been applied makes the outcome
// unknown until a later attempt succeeds.
func (a *attempts) record(err error) {
	a.throttled = noteThrottling(a.throttled, err)
	if kindOfConflict(err) != noConflict {
		a.conflicts++
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
