// Package awserr is the errors of the service, as it sends them.
package awserr

import (
	"fmt"
	"net/http"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Error is a refusal as the service words it. Its text may hold what the request held: it goes to the client as the service's would, and into
// no log of ours.
type Error struct {
	Code    string // such as "ValidationException"
	Message string
	Status  int // of HTTP; 0 is 400

	Item       value.Map          // of ConditionalCheckFailedException, when it was asked for
	Reasons    []Reason           // of TransactionCanceledException, one for each action in order
	Throttling []ThrottlingReason // of the throttling errors
}

// Reason says why one action of a transaction failed; its code is "None" where it did not.
type Reason struct {
	Code    string
	Message string
	Item    value.Map // when it was asked for
}

// ThrottlingReason says which limit was met, of which resource.
type ThrottlingReason struct {
	Reason   string // such as "TableWriteKeyRangeThroughputExceeded"
	Resource string // an ARN
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// HTTPStatus is the status of the response.
func (e *Error) HTTPStatus() int {
	if e.Status == 0 {
		return http.StatusBadRequest
	}
	return e.Status
}

// The codes that several packages use.
const (
	CodeValidation        = "ValidationException"
	CodeSerialization     = "SerializationException"
	CodeResourceNotFound  = "ResourceNotFoundException"
	CodeResourceInUse     = "ResourceInUseException"
	CodeConditionalFailed = "ConditionalCheckFailedException"
	CodeCanceled          = "TransactionCanceledException"
	CodeInternal          = "InternalServerError"
)

// Validation is a ValidationException.
func Validation(format string, args ...any) *Error {
	return &Error{Code: CodeValidation, Message: fmt.Sprintf(format, args...)}
}

// New is an error with status 400.
func New(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotFound is the data plane's answer for a table or index that is not there.
func NotFound() *Error {
	return &Error{Code: CodeResourceNotFound, Message: "Requested resource not found"}
}

// ConditionFailed is a condition that did not hold, with the item it met if that was asked for.
func ConditionFailed(item value.Map) *Error {
	return &Error{Code: CodeConditionalFailed, Message: MessageConditionFailed, Item: item}
}

// Internal is the service's own failure.
func Internal() *Error {
	return &Error{Code: CodeInternal, Message: "Internal server error", Status: http.StatusInternalServerError}
}
