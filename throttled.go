package trestle

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle/internal/errs"
)

// IsThrottled reports whether DynamoDB throttled the last attempt of the operation that returned
// err, also as an action of a transaction, or left a part of a batch unprocessed each time. The SDK
// retries throttled requests, so its attempts were used up, or the context ended while the request
// waited for its next attempt; then err also wraps the error of the context. [Event.Throttled] has
// the reasons of all attempts.
func IsThrottled(err error) bool {
	if errors.Is(err, errs.Unprocessed) {
		return true
	}
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		for _, reason := range canceled.CancellationReasons {
			if errs.Throttling[aws.ToString(reason.Code)] {
				return true
			}
		}
		return false
	}
	var api smithy.APIError
	return errors.As(err, &api) && errs.Throttling[api.ErrorCode()]
}
