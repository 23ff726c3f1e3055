package trestle

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog" //nolint:depguard // nothing is logged here: a caller who logs an error must not log its items
)

// UnprocessedError reports that a batch processed only some of its arguments. The call also returns
// their results.
type UnprocessedError struct {
	// Items returns the arguments that were not processed, in the order of the call; [Unprocessed]
	// returns those of one type. It is a function because fmt prints the fields of a nested struct
	// without calling its methods.
	Items func() []any
	Err   error // the *OpError with the reason
}

// Unprocessed returns the arguments of type T that a batch did not process, in the order of the
// call. It takes them from the [*UnprocessedError] that err wraps. It returns nil if there is none.
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
func (e UnprocessedError) Error() string { return fmt.Sprintf("%v (%d left)", e.Err, len(e.items())) }

// Unwrap returns the [*OpError].
func (e UnprocessedError) Unwrap() error { return e.Err }

// Format prints the text of Error for every verb, because %+v of the fields would print the items.
func (e UnprocessedError) Format(s fmt.State, verb rune) { formatError(s, verb, e.Error()) }

// LogValue returns the reason and the number of unprocessed arguments.
func (e UnprocessedError) LogValue() slog.Value {
	return slog.GroupValue(slog.Any("error", e.Err), slog.Int("left", len(e.items())))
}

// MarshalJSON returns what LogValue returns, as JSON.
func (e UnprocessedError) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Err  error `json:"error"`
		Left int   `json:"left"`
	}{e.Err, len(e.items())})
}
