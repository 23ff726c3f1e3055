package transact

import (
	"errors"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Codes of the cancellation reasons of an action.
const (
	codeNone              = "None"
	codeConditionalFailed = "ConditionalCheckFailed"
	codeValidation        = "ValidationError"
	codeDuplicate         = "DuplicateItem" // of an INSERT of PartiQL
)

// messages are the service's messages for the codes that a fault rule may require.
var messages = map[string]string{
	codeConditionalFailed:             awserr.MessageConditionFailed,
	codeValidation:                    "One or more parameter values were invalid.",
	"ItemCollectionSizeLimitExceeded": awserr.MessageCollectionFull,
	"TransactionConflict":             awserr.MessageConflict,
	"ProvisionedThroughputExceeded":   awserr.MessageProvisioned,
	"ThrottlingError":                 awserr.MessageThrottled,
}

// reasons are the cancellation reasons of a transaction, one for each action; nil if no action
// failed.
type reasons []awserr.Reason

// set sets the reason of the i-th of n actions.
func (r *reasons) set(i, n int, reason awserr.Reason) {
	if *r == nil {
		*r = make(reasons, n)
		for j := range *r {
			(*r)[j].Code = codeNone
		}
	}
	(*r)[i] = reason
}

// add sets the reason of the i-th of n actions from its error. It returns an error that cannot be
// a reason.
func (r *reasons) add(i, n int, err error) error {
	var serviceErr *awserr.Error
	if !errors.As(err, &serviceErr) {
		return err
	}
	switch serviceErr.Code {
	case awserr.CodeConditionalFailed:
		r.set(i, n, awserr.Reason{Code: codeConditionalFailed, Message: serviceErr.Message, Item: serviceErr.Item})
	case awserr.CodeDuplicateItem:
		r.set(i, n, awserr.Reason{Code: codeDuplicate, Message: serviceErr.Message})
	case awserr.CodeValidation:
		r.set(i, n, awserr.Reason{Code: codeValidation, Message: serviceErr.Message})
	default:
		return err
	}
	return nil
}

// Cancellation returns the cancellation for a single error of the i-th of n actions. It returns err
// itself if that cannot be a reason.
func Cancellation(i, n int, err error) error {
	var failed reasons
	if err := failed.add(i, n, err); err != nil {
		return err
	}
	return failed.err()
}

// steer sets the reasons that fault rules require.
func (r *reasons) steer(codes map[int]string, n int) {
	for i, code := range codes {
		if i >= 0 && i < n {
			r.set(i, n, awserr.Reason{Code: code, Message: messages[code]})
		}
	}
}

// err returns the cancellation error, or nil if no action failed.
func (r reasons) err() error {
	if r == nil {
		return nil
	}
	codes := make([]string, len(r))
	for i, reason := range r {
		codes[i] = reason.Code
	}
	//nolint:misspell // the service's spelling
	const message = "Transaction cancelled, please refer cancellation reasons for specific reasons [%s]"
	canceled := awserr.New(awserr.CodeCanceled, message, strings.Join(codes, ", "))
	canceled.Reasons = r
	return canceled
}
