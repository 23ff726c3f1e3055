package trestle

import "errors"

// Outcome reports whether a write was applied. Every operation that is not a write has the outcome
// [NoWrite].
type Outcome uint8

const (
	// Unknown means that the write may or may not have been applied.
	Unknown Outcome = iota
	// Applied means that DynamoDB acknowledged the write.
	Applied
	// NotApplied means that the write was certainly not applied.
	NotApplied
	// NoWrite means that the operation is not a write: it is a read, or it sends nothing, such as
	// Encode.
	NoWrite
)

// String returns "applied", "not applied", "unknown" or "no write".
func (o Outcome) String() string {
	switch o {
	case Applied:
		return "applied"
	case NotApplied:
		return "not applied"
	case NoWrite:
		return "no write"
	default:
		return "unknown"
	}
}

// OutcomeOf returns whether the write that returned err was applied: [Applied] for nil, the Outcome
// of an [*OpError], and [Unknown] for any other error. It returns [NoWrite] for the error of a
// read; that is no information about an earlier write.
func OutcomeOf(err error) Outcome {
	var e *OpError
	switch {
	case err == nil:
		return Applied
	case errors.As(err, &e):
		return e.Outcome
	default:
		return Unknown
	}
}
