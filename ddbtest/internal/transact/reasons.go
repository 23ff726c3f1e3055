package transact

import (
	"errors"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// The codes of reasons that come from what an action met.
const (
	codeNone              = "None"
	codeConditionalFailed = "ConditionalCheckFailed"
	codeValidation        = "ValidationError"
)

// messages are what the service says with codes that a rule asks for.
var messages = map[string]string{
	codeConditionalFailed:             awserr.MessageConditionFailed,
	codeValidation:                    "One or more parameter values were invalid.",
	"ItemCollectionSizeLimitExceeded": awserr.MessageCollectionFull,
	"TransactionConflict":             awserr.MessageConflict,
	"ProvisionedThroughputExceeded":   awserr.MessageProvisioned,
	"ThrottlingError":                 awserr.MessageThrottled,
}

// reasons are why a transaction fails, one for each action; nil while it does not.
type reasons []awserr.Reason

// set gives the i-th of n actions its reason.
func (r *reasons) set(i, n int, reason awserr.Reason) {
	if *r == nil {
		*r = make(reasons, n)
		for j := range *r {
			(*r)[j].Code = codeNone
		}
	}
	(*r)[i] = reason
}

// fail makes a reason of the error that the i-th of n actions met. An error that can be none is returned.
func (r *reasons) fail(i, n int, err error) error {
	var refusal *awserr.Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch refusal.Code {
	case awserr.CodeConditionalFailed:
		r.set(i, n, awserr.Reason{Code: codeConditionalFailed, Message: refusal.Message, Item: refusal.Item})
	case awserr.CodeValidation:
		r.set(i, n, awserr.Reason{Code: codeValidation, Message: refusal.Message})
	default:
		return err
	}
	return nil
}

// canceledBy is the cancellation of a transaction for one error alone, that the i-th of n actions met; or the error, where it can be no reason.
func canceledBy(i, n int, err error) error {
	var failed reasons
	if err := failed.fail(i, n, err); err != nil {
		return err
	}
	return failed.err()
}

// steer gives the actions the reasons that rules ask for.
func (r *reasons) steer(codes map[int]string, n int) {
	for i, code := range codes {
		if i >= 0 && i < n {
			r.set(i, n, awserr.Reason{Code: code, Message: messages[code]})
		}
	}
}

// err is the cancellation of the transaction; nil where nothing failed.
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
