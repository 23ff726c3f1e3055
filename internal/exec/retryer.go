package exec

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
)

// guard wraps a retryer so that attempts can prevent a retry. The retryer still decides how often
// to retry and how long to wait.
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
	return guarded{RetryerV2: v2, attempts: a}
}

// guarded is a retryer that never retries a request that is not idempotent and may have been
// applied.
type guarded struct {
	aws.RetryerV2
	attempts *attempts
}

// IsErrorRetryable also returns true for a conflict and for a transaction that was canceled because
// of conflicts or throttling, which the SDK does not retry by default.
func (g guarded) IsErrorRetryable(err error) bool {
	var api smithy.APIError
	switch {
	case !g.attempts.idempotent && g.attempts.outcome == trestle.Unknown:
		return false
	case errors.As(err, &api) && conflicts[api.ErrorCode()], retryableCancellation(err):
		return true
	default:
		return g.RetryerV2.IsErrorRetryable(err)
	}
}

// conflicts are the codes for an item that another transaction or another Region is writing.
var conflicts = map[string]bool{
	"TransactionConflictException":     true,
	"ReplicatedWriteConflictException": true,
}
