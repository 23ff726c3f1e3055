package exec

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/errs"
)

// Throttling returns the throttling reasons of an error, each once.
func Throttling(err error) []string { return noteThrottling(nil, err) }

// noteThrottling adds the throttling reasons of an error to the known reasons, each once. A reason
// is DynamoDB's text, such as TableWriteKeyRangeThroughputExceeded, or the error code if there is
// none. The reasons of a canceled transaction have a code only.
func noteThrottling(known []string, err error) []string {
	if err == nil {
		return known
	}
	var api smithy.APIError
	var canceled *types.TransactionCanceledException
	switch {
	case errors.As(err, &canceled):
		for _, r := range canceled.CancellationReasons {
			if code := aws.ToString(r.Code); errs.Throttling[code] {
				known = merge(known, code)
			}
		}
		return known
	case !errors.As(err, &api) || !errs.Throttling[api.ErrorCode()]:
		return known
	}
	reasons := throttlingReasons(err)
	if len(reasons) == 0 {
		return merge(known, api.ErrorCode())
	}
	for _, r := range reasons {
		if r.Reason != nil {
			known = merge(known, *r.Reason)
		}
	}
	return known
}

func throttlingReasons(err error) []types.ThrottlingReason {
	var provisioned *types.ProvisionedThroughputExceededException
	var throttling *types.ThrottlingException
	var account *types.RequestLimitExceeded
	switch {
	case errors.As(err, &provisioned):
		return provisioned.ThrottlingReasons
	case errors.As(err, &throttling):
		return throttling.ThrottlingReasons
	case errors.As(err, &account):
		return account.ThrottlingReasons
	default:
		return nil
	}
}

// merge appends the texts that the list does not contain.
func merge(known []string, more ...string) []string {
	for _, m := range more {
		if !slices.Contains(known, m) {
			known = append(known, m)
		}
	}
	return known
}
