package trestle

import (
	"encoding/json"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its items
	"strings"
)

// CanceledError reports that a transaction was not applied because of some of its operations: a
// condition failed, DynamoDB rejected the operation, or conflicts and throttling lasted until the
// last attempt. It wraps the error of each of them, so errors.Is finds the sentinel error of each.
//
// It lists no operation that would only have been planned again, because another writer changed
// what it was planned from, or because an expired item was not deleted yet. Such an operation is
// listed if no other failed and the attempts are used up. If an operation failed before the
// transaction was sent, the others are not known to have failed.
type CanceledError struct {
	Failures []Failure // in the order of the operations
	Err      error     // the SDK's error; nil if nothing was sent
}

// Failure is the failure of one operation of a transaction.
type Failure struct {
	Operation int // its index in the transaction
	// Code is DynamoDB's code of the reason, such as "ConditionalCheckFailed" or
	// "TransactionConflict"; empty if nothing was sent.
	Code string
	// Err is the error of the operation, with its entity and key. It wraps at most one sentinel
	// error. entity.ItemFromError returns the item that made a condition fail.
	Err *OpError
}

// Error lists the failures. It contains no key and no value.
func (e CanceledError) Error() string {
	texts := make([]string, len(e.Failures))
	for i, f := range e.Failures {
		texts[i] = f.text()
	}
	return "the transaction was canceled: " + strings.Join(texts, "; ")
}

func (f Failure) text() string {
	if f.Err == nil {
		return fmt.Sprintf("operation %d", f.Operation)
	}
	reason := f.Err.reason()
	if f.Err.Kind == nil && f.Code != "" {
		reason = f.Code
	}
	text := fmt.Sprintf("operation %d (%s %s): %s", f.Operation, f.Err.Op, f.Err.Entity, reason)
	if f.Err.Hint != "" {
		text += ", " + f.Err.Hint
	}
	return text
}

// Unwrap returns the errors of the operations, and the SDK's error.
func (e CanceledError) Unwrap() []error {
	list := make([]error, 0, len(e.Failures)+1)
	for _, f := range e.Failures {
		if f.Err != nil {
			list = append(list, f.Err)
		}
	}
	if e.Err != nil {
		list = append(list, e.Err)
	}
	return list
}

// Format prints the text of Error for every verb, because %+v of the fields would print the SDK's
// error, which can contain items.
func (e CanceledError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the failures.
func (e CanceledError) LogValue() slog.Value {
	list := make([]slog.Attr, len(e.Failures))
	for i, f := range e.Failures {
		list[i] = slog.String(fmt.Sprintf("operation_%d", f.Operation), f.text())
	}
	return slog.GroupValue(list...)
}

// MarshalJSON returns the failures as JSON.
func (e CanceledError) MarshalJSON() ([]byte, error) {
	type failure struct {
		Operation int      `json:"operation"`
		Code      string   `json:"code,omitempty"`
		Error     *OpError `json:"error"`
	}
	list := make([]failure, len(e.Failures))
	for i, f := range e.Failures {
		list[i] = failure{f.Operation, f.Code, f.Err}
	}
	return json.Marshal(map[string]any{"failures": list})
}
