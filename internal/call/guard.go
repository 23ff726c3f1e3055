package call

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/op"
)

// guard puts the recorder's veto before a retryer: how often and how long to wait stays its own decision.
func (a *attempts) guard(r aws.Retryer) aws.Retryer {
	if r == nil {
		return aws.NopRetryer{}
	}
	v2, ok := r.(aws.RetryerV2)
	if !ok { // the SDK adapts it to the newer interface, behind a bound that is its own
		if v2, ok = retry.AddWithMaxAttempts(r, r.MaxAttempts()).(aws.RetryerV2); !ok {
			return aws.NopRetryer{}
		}
	}
	return guarded{RetryerV2: v2, attempts: a}
}

// guarded is a retryer that never repeats what may have been applied and would count twice.
type guarded struct {
	aws.RetryerV2
	attempts *attempts
}

// IsErrorRetryable asks for another attempt after a conflict, too, which the SDK by itself reports at once.
func (g guarded) IsErrorRetryable(err error) bool {
	var api smithy.APIError
	switch {
	case !g.attempts.idempotent && g.attempts.outcome == op.Unknown:
		return false
	case errors.As(err, &api) && conflicts[api.ErrorCode()]:
		return true
	default:
		return g.RetryerV2.IsErrorRetryable(err)
	}
}

// conflicts are refusals because the item is just being written by others, in a transaction or in another Region.
var conflicts = map[string]bool{
	"TransactionConflictException":     true,
	"ReplicatedWriteConflictException": true,
}
