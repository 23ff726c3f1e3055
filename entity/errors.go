package entity

import (
	"errors"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// The outcomes that an operation can fail with. A failure is at most one of them; throttling, missing access and an ended context are
// the SDK's and the context's own errors, which errors.Is and errors.As find in an [*OpError] too.
var (
	// ErrNotFound: the item does not exist, or is of another type. Of Get, Update, and of a Delete that checks something; writes look at the type only
	// where types share their keys, since nothing else stands under a key of the type.
	ErrNotFound = fail.NotFound
	// ErrExists: the item exists already, or the table. Of Create; of any put where types share their keys and another's item is there.
	ErrExists = fail.Exists
	// ErrStale: the item is not of the version that was given; of Put also that it is gone, or there against expectation.
	ErrStale = fail.Stale
	// ErrTaken: a unique value belongs to another item. No write of this version checks one: the role unique is refused.
	ErrTaken = fail.Taken
	// ErrCondition: any other condition does not hold; also a change below a parent that the item does not have.
	ErrCondition = fail.Condition
	// ErrUnknown: nobody can tell whether the write was applied, because its reply was lost.
	ErrUnknown = fail.Unknown
	// ErrLimit: refused before sending, because a limit of the service would be exceeded.
	ErrLimit = fail.Limit
	// ErrInvalid: any other refusal before sending. The text lists all that is wrong, with the likely cures.
	ErrInvalid = fail.Invalid
)

// Outcome says whether a write was applied. Only writes have one: that of every other operation is
// [NoWrite].
type Outcome uint8

const (
	// Unknown says that the write may or may not have been applied.
	Unknown = Outcome(op.Unknown)
	// Applied says that the service has acknowledged the write.
	Applied = Outcome(op.Applied)
	// NotApplied says that the write has certainly not been applied.
	NotApplied = Outcome(op.NotApplied)
	// NoWrite says that the operation is not a write: it is a read, or it sends nothing, as Encode
	// does.
	NoWrite = Outcome(op.NoWrite)
)

// String returns "applied", "not applied", "unknown" or "no write".
func (o Outcome) String() string { return op.Outcome(o).String() }

// OutcomeOf says whether the write that returned err was applied: [Applied] for nil, the Outcome of
// an [*OpError], and [Unknown] for any other error. The error of a read is [NoWrite]: it says
// nothing of a write that came before it.
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
