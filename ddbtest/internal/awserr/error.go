// Package awserr defines the errors of the service as it sends them.
package awserr

import (
	"fmt"
	"net/http"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Error is an error response with the service's text. The text may contain values of the request:
// it is sent to the client and never logged.
type Error struct {
	Code    string // such as "ValidationException"
	Message string
	Status  int // HTTP status; 0 means 400

	Item       value.Map          // of ConditionalCheckFailedException, if requested
	Reasons    []Reason           // of TransactionCanceledException, one for each action in order
	Throttling []ThrottlingReason // of throttling errors
}

// Reason is the cancellation reason of one action of a transaction. Its code is "None" if the
// action did not fail.
type Reason struct {
	Code    string
	Message string
	Item    value.Map // if requested
}

// ThrottlingReason is the limit that was exceeded, and its resource.
type ThrottlingReason struct {
	Reason   string // such as "TableWriteKeyRangeThroughputExceeded"
	Resource string // an ARN
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// HTTPStatus returns the HTTP status of the response.
func (e *Error) HTTPStatus() int {
	if e.Status == 0 {
		return http.StatusBadRequest
	}
	return e.Status
}

// Error codes that several packages use.
const (
	CodeValidation        = "ValidationException"
	CodeSerialization     = "SerializationException"
	CodeResourceNotFound  = "ResourceNotFoundException"
	CodeResourceInUse     = "ResourceInUseException"
	CodeConditionalFailed = "ConditionalCheckFailedException"
	CodeCanceled          = "TransactionCanceledException"
	CodeDuplicateItem     = "DuplicateItemException"
	CodeInternal          = "InternalServerError"
)

// Validation returns a ValidationException.
func Validation(format string, args ...any) *Error {
	return &Error{Code: CodeValidation, Message: fmt.Sprintf(format, args...)}
}

// New returns an error with status 400.
func New(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// NotFound returns the error of data plane operations for a table or an index that does not exist.
func NotFound() *Error {
	return &Error{Code: CodeResourceNotFound, Message: "Requested resource not found"}
}

// ConditionFailed returns the error of a failed conditional check. Item is the existing item if the
// request asks for it.
func ConditionFailed(item value.Map) *Error {
	return &Error{Code: CodeConditionalFailed, Message: MessageConditionFailed, Item: item}
}

// Internal returns an internal server error with status 500.
func Internal() *Error {
	return &Error{Code: CodeInternal, Message: "Internal server error", Status: http.StatusInternalServerError}
}

// Messages that are both an error of their own and a cancellation reason of a transaction.
const (
	MessageConditionFailed = "The conditional request failed"
	MessageConflict        = "Transaction is ongoing for the item"
	MessageCollectionFull  = "Collection size exceeded."
	MessageProvisioned     = "The level of configured provisioned throughput for the table was exceeded. " +
		"Consider increasing your provisioning level with the UpdateTable API."
	MessageThrottled = "Throughput exceeds the current capacity of your table or index. " +
		"DynamoDB is automatically scaling your table or index so please try again shortly."
)
