package exec

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
)

// guard wraps a retryer so that attempts can prevent a retry. The retryer still decides how often
// to retry and how long to wait, except for conflicts.
func (a *attempts) guard(r aws.Retryer) aws.Retryer {
	if r == nil {
		return aws.NopRetryer{}
	}
	v2, ok := r.(aws.RetryerV2)
	// The SDK adapts it to the newer interface and adds its own maximum of attempts.
	if !ok {
		if v2, ok = retry.AddWithMaxAttempts(r, r.MaxAttempts()).(aws.RetryerV2); !ok {
			return aws.NopRetryer{}
		}
	}
	a.retryer = guarded{RetryerV2: v2, attempts: a}
	return &a.retryer
}

// guarded is a retryer that never retries a request that may have been applied, unless the request
// is retryable. It also retries conflicts, with a budget and a backoff of their own.
type guarded struct {
	aws.RetryerV2
	attempts *attempts
}

// MaxAttempts returns the maximum number of attempts. Conflicts do not count as attempts of the
// wrapped retryer, unless it allows one attempt only.
func (g *guarded) MaxAttempts() int {
	n := g.RetryerV2.MaxAttempts()
	if n <= 1 {
		return n
	}
	return n + maxConflicts
}

// IsErrorRetryable also returns true for conflicts and for an unreadable reply. The SDK does not
// retry these, except TransactionInProgressException.
func (g *guarded) IsErrorRetryable(err error) bool {
	a := g.attempts
	if a.outcome == trestle.Unknown && !a.mayRepeat(0) {
		return false
	}
	switch kindOfConflict(err) {
	case conflictOfItems:
		return a.conflicts <= maxConflicts
	case transactionInProgress:
		return a.conflicts <= maxInProgress
	default:
		return !g.exhausted() && (g.RetryerV2.IsErrorRetryable(err) || unreadable(err))
	}
}

// unreadable reports whether the reply could not be decoded, because it was cut off or is no JSON.
func unreadable(err error) bool {
	var e *smithy.DeserializationError
	return errors.As(err, &e)
}

// exhausted reports whether the attempts without conflicts have reached the maximum of the wrapped
// retryer.
func (g *guarded) exhausted() bool {
	n := g.RetryerV2.MaxAttempts()
	return n > 0 && g.attempts.n-g.attempts.conflicts >= n
}

// GetRetryToken reserves a retry in the client's quota, which limits retries during an outage. A
// conflict is no sign of an outage.
func (g *guarded) GetRetryToken(ctx context.Context, err error) (func(error) error, error) {
	if kindOfConflict(err) != noConflict {
		return func(error) error { return nil }, nil
	}
	return g.RetryerV2.GetRetryToken(ctx, err)
}

// RetryDelay returns the time until the next attempt. If the request must not be sent that late, it
// returns the error of the last attempt, and the SDK does not retry.
func (g *guarded) RetryDelay(attempt int, err error) (time.Duration, error) {
	delay, failure := g.delay(attempt, err)
	if failure == nil && g.attempts.outcome == trestle.Unknown && !g.attempts.mayRepeat(delay) {
		failure = err
	}
	return delay, failure
}

func (g *guarded) delay(attempt int, err error) (time.Duration, error) {
	switch kindOfConflict(err) {
	case conflictOfItems:
		delay, failure := g.attempts.random.backoff(g.attempts.conflicts)
		if failure != nil {
			return 0, errors.Join(failure, err)
		}
		return delay, nil
	case transactionInProgress:
		return inProgressDelay << (g.attempts.conflicts - 1), nil
	default:
		return g.RetryerV2.RetryDelay(max(attempt-g.attempts.conflicts, 0), err)
	}
}

// repetition is whether a request may be sent again after an attempt without a response.
type repetition uint8

const (
	never       repetition = iota
	always                 // applying the request twice has the effect of applying it once
	duringToken            // DynamoDB applies it once while it remembers its token
)

// repetitionOf returns never or always.
func repetitionOf(retryable bool) repetition {
	if retryable {
		return always
	}
	return never
}

// TokenLife is how long DynamoDB remembers the token of a transaction.
const TokenLife = 10 * time.Minute

// mayRepeat reports whether the request may be sent again, after a delay, if an attempt had no
// response. A request with a token must arrive before DynamoDB forgets the token.
func (a *attempts) mayRepeat(delay time.Duration) bool {
	return a.repeat == always || a.repeat == duringToken && time.Since(a.began)+delay+a.timeout < TokenLife
}
