package exec

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

const (
	// maxConflicts is the maximum number of retries of one request after conflicts.
	maxConflicts = 8
	// maxInProgress is the maximum after a TransactionInProgressException.
	maxInProgress = 4
	// maxBackoff is the maximum of a pause after a conflict or an unprocessed item.
	maxBackoff = 2560 * time.Millisecond
	// inProgressDelay is the first pause after a TransactionInProgressException. DynamoDB asks for
	// a retry 5 seconds after the first attempt at the earliest; the pauses are 1, 2, 4 and 8
	// seconds.
	inProgressDelay = time.Second
)

// conflictKind is a reason why DynamoDB did not apply an attempt: other requests write the same
// items at the same time.
type conflictKind uint8

const (
	noConflict conflictKind = iota
	conflictOfItems
	transactionInProgress // an earlier attempt of the same transaction is running
)

// kindOfConflict returns the conflict that an attempt failed with. A canceled transaction is one if
// all of its reasons may not hold in the next attempt: conflicts and throttling.
func kindOfConflict(err error) conflictKind {
	var api smithy.APIError
	switch {
	case !errors.As(err, &api):
		return noConflict
	case api.ErrorCode() == "TransactionInProgressException":
		return transactionInProgress
	case conflicts[api.ErrorCode()], retryableCancellation(err):
		return conflictOfItems
	default:
		return noConflict
	}
}

// conflicts are the codes for an item that another transaction or another Region is writing.
var conflicts = map[string]bool{
	"TransactionConflictException":     true,
	"ReplicatedWriteConflictException": true,
}

// retryableCancellation reports whether DynamoDB canceled a transaction for reasons that may not
// hold in the next attempt, and for no others.
func retryableCancellation(err error) bool {
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return false
	}
	retryable := false
	for _, reason := range canceled.CancellationReasons {
		switch code := aws.ToString(reason.Code); {
		case code == reasonNone:
		case temporary[code]:
			retryable = true
		default:
			return false
		}
	}
	return retryable
}

// temporary are the codes of cancellation reasons that may not hold in the next attempt.
var temporary = map[string]bool{
	"TransactionConflict":           true,
	"ProvisionedThroughputExceeded": true,
	"ThrottlingError":               true,
}

// backoff returns the pause before a retry, with full jitter: at most 20 ms after the first try,
// doubled after each further try.
func (r *Random) backoff(tries int) (time.Duration, error) {
	return r.duration(min(10*time.Millisecond<<min(tries, 16), maxBackoff))
}

// Pause waits before a retry, as long as backoff returns. It returns the error of an ended context.
func (c *Config) Pause(ctx context.Context, tries int) error {
	delay, err := c.Random.backoff(tries)
	if err != nil {
		return err
	}
	return Wait(ctx, delay)
}

// Wait waits, or returns the error of an ended context.
func Wait(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
