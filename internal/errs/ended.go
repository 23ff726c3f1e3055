package errs

import "errors"

// Unprocessed is the cause of a batch that stopped because DynamoDB left a part of it unprocessed,
// which means that it was throttled.
var Unprocessed = errors.New("the service left a part of the batch unprocessed")

// EndedError is the error of a request whose context ended before a retry succeeded.
type EndedError struct {
	End  error // of the context
	Last error // of the last attempt that failed by itself
}

// Ended returns the error of an ended context, with the error of the last attempt that failed by
// itself, or nil.
func Ended(end, last error) error {
	if end == nil || last == nil {
		return end
	}
	if earlier := (*EndedError)(nil); errors.As(last, &earlier) {
		last = earlier.Last
	}
	if errors.Is(last, Unprocessed) {
		last = Unprocessed
	}
	return &EndedError{End: end, Last: last}
}

// Error returns the texts of both errors.
func (e *EndedError) Error() string {
	return e.End.Error() + "; the last attempt failed: " + e.Last.Error()
}

// Unwrap returns both errors.
func (e *EndedError) Unwrap() []error { return []error{e.End, e.Last} }
