package generations

import (
	"errors"

	"github.com/trestledb/trestle/internal/errs"
)

// ErrIncomplete reports that parts of the current generation are missing, or were added, by other
// means than this package. Replace stores a complete generation again.
var ErrIncomplete = errors.New("the current generation does not have the parts that were stored")

// The operations in errors.
const (
	opReplace = "replace parts"
	opUpsert  = "upsert parts"
	opRead    = "read parts"
	opClean   = "clean generations"
	opDelete  = "delete parts"
)

// cause is the cause of an error whose outcome is known. It hides the ErrUnknown of a step.
type cause struct{ err error }

// Error returns the text of the error.
func (c cause) Error() string { return c.err.Error() }

// Is reports whether the error is target, except for ErrUnknown.
func (c cause) Is(target error) bool {
	return !errors.Is(target, errs.Unknown) && errors.Is(c.err, target)
}

// As finds target in the error.
func (c cause) As(target any) bool { return errors.As(c.err, target) }

// sentinel returns the sentinel error of a step, or nil if it has none but ErrUnknown.
func sentinel(err error) error {
	for _, kind := range errs.Kinds() {
		if errors.Is(cause{err}, kind) {
			return kind
		}
	}
	return nil
}

// invalid returns the error of a call that stores nothing.
func invalid(reason, hint string) error { return errs.New("", reason, hint) }

// stale returns the error of a call that lost against another one.
func stale(reason, hint string) error {
	return &errs.ValidationError{Kind: errs.Stale, Problems: []errs.Problem{{Reason: reason, Hint: hint}}}
}

var (
	errNested    = invalid("the embedded Pointer is in a map of its own", "embed it without a dynamodbav tag")
	errNoRepo    = invalid("the Repo is nil or zero", "make it with generations.New")
	errNoParts   = invalid("there are no parts", "delete the pointer item with its parts by Delete")
	errPartition = invalid("a part has the same partition key in two generations",
		"the template of the partition key needs the generation, and the function that places parts must set it")
	errFields = invalid("the function that places parts uses a field that is not in the key of the pointer item",
		"use the fields of its key only, because the others of an example may be unset")
	errOtherPartition = invalid("a part has another partition key than its generation",
		"the function that places parts must set all fields of the partition key, from the pointer item")
	errTwice = invalid("two parts have the same sort key", "give each part its own")

	errReplaced = stale("another generation became current than the one that was read", "read it again, and decide again")
	errGivenUp  = stale("the generation was given up, by Clean after twice the WriteTime or by Delete", "read it again, and decide again")
	errMoved    = stale("the generation was replaced while it was read, or the read lags", "read it again")

	errNoGeneration = &errs.ValidationError{Kind: errs.NotFound, Problems: []errs.Problem{{Reason: "the pointer item has no current generation"}}}
	errIncomplete   = &errs.ValidationError{Problems: []errs.Problem{{
		Reason: ErrIncomplete.Error(), Hint: "replace the parts; only this package may change them", Cause: ErrIncomplete,
	}}}
)
