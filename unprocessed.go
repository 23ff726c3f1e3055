package trestle

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its items
)

// UnprocessedError reports that a batch processed only some of its arguments. A batch read also
// returns their results.
type UnprocessedError struct {
	// Items returns the arguments that were not processed, in the order of the call; [Unprocessed]
	// returns those of one type. It is a function because fmt prints the fields of a nested struct
	// without calling its methods.
	Items func() []any
	// Err is the [*OpError] with the reason. Its Outcome is that of all unprocessed arguments
	// together: NotApplied if none of them was applied, and Unknown if that is unknown of any.
	Err error
	// Failures are the unprocessed arguments of a batch write, each with its error, in the order of
	// the call. It is nil for a batch read. A failure whose Outcome is Applied is not one of Items:
	// the write was applied, but the version and timestamps of the argument could not be set.
	Failures []BatchFailure
	// Consumed is the number of arguments that a batch write took from its sequence. Those that it
	// did not take were not sent and are not reported.
	Consumed int
}

// BatchFailure is an argument that a batch write did not process, and the reason.
type BatchFailure struct {
	Index    int        // in the sequence of the arguments, from 0
	Argument func() any // returns the argument; a function for the same reason as Items
	Err      error      // an [*OpError]
}

// Unprocessed returns the arguments of type T that a batch did not process, in the order of the
// call. T is the type of the sequence: *User for PutMany, User for DeleteMany, entity.Operation for
// WriteMany. It takes them from the [*UnprocessedError] that err wraps. It returns nil if there is
// none.
func Unprocessed[T any](err error) []T {
	var e *UnprocessedError
	if !errors.As(err, &e) {
		return nil
	}
	var left []T
	for _, item := range e.items() {
		if item, ok := item.(T); ok {
			left = append(left, item)
		}
	}
	return left
}

func (e UnprocessedError) items() []any {
	if e.Items == nil {
		return nil
	}
	return e.Items()
}

// Error returns the reason and the number of unprocessed arguments, but not the arguments.
func (e UnprocessedError) Error() string {
	if e.Consumed > 0 {
		return fmt.Sprintf("%v (%d of %d left)", e.Err, len(e.items()), e.Consumed)
	}
	return fmt.Sprintf("%v (%d left)", e.Err, len(e.items()))
}

// Unwrap returns the reason, and the error of each failure.
func (e UnprocessedError) Unwrap() []error {
	list := make([]error, 0, 1+len(e.Failures))
	if e.Err != nil {
		list = append(list, e.Err)
	}
	for _, f := range e.Failures {
		if f.Err != nil {
			list = append(list, f.Err)
		}
	}
	return list
}

// Format prints the text of Error for every verb, because %+v of the fields would print the items.
func (e UnprocessedError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the reason, the number of unprocessed arguments, and for a batch write the
// number of consumed arguments.
func (e UnprocessedError) LogValue() slog.Value {
	list := []slog.Attr{slog.Any("error", e.Err), slog.Int("left", len(e.items()))}
	if e.Consumed > 0 {
		list = append(list, slog.Int("consumed", e.Consumed))
	}
	return slog.GroupValue(list...)
}

// MarshalJSON returns what LogValue returns, as JSON.
func (e UnprocessedError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Err      error `json:"error"`
		Left     int   `json:"left"`
		Consumed int   `json:"consumed,omitempty"`
	}{e.Err, len(e.items()), e.Consumed})
}

// text returns the position and the error, but not the argument.
func (f BatchFailure) text() string { return fmt.Sprintf("argument %d: %v", f.Index, f.Err) }

// Format prints the position and the error for every verb, because %+v of the fields would print
// the argument.
func (f BatchFailure) Format(s fmt.State, verb rune) { formatError(s, verb, f.text()) }

// LogValue returns the position and the error.
func (f BatchFailure) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("index", f.Index), slog.Any("error", f.Err))
}

// MarshalJSON returns what LogValue returns, as JSON.
func (f BatchFailure) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Index int   `json:"index"`
		Err   error `json:"error"`
	}{f.Index, f.Err})
}
