package document

import (
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// ErrIncomplete reports that items of a document are missing, or were added or replaced, or that
// chunks of a large value are missing, by other means than this package. See [Unverified].
var ErrIncomplete = errors.New("the document does not have the parts that were saved")

// The operations in errors.
const (
	opRead   = "read document"
	opSave   = "save document"
	opDelete = "delete document"
	opClean  = "clean document"
	opReport = "report document"
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

// failed returns the error of an operation that failed because of err; nil stays nil.
func (s *store) failed(operation string, outcome trestle.Outcome, err error) error {
	if err == nil {
		return nil
	}
	e := &trestle.OpError{Op: operation, Entity: s.name(), Outcome: outcome}
	if s.config != nil {
		e.Table = s.config.Table
	}
	if outcome == trestle.Unknown {
		e.Kind, e.Err = errs.Unknown, err
		return e
	}
	e.Err = cause{err}
	if outcome == trestle.Applied && operation == opSave {
		e.Hint = "the document is saved: Clean applies what is left of the save, and deletes old chunks"
	}
	for _, kind := range errs.Kinds() {
		if errors.Is(e.Err, kind) {
			e.Kind = kind
			break
		}
	}
	return e
}

func stale(reason, hint string) error {
	return &errs.ValidationError{Kind: errs.Stale, Problems: []errs.Problem{{Reason: reason, Hint: hint}}}
}

// isLost reports whether an error is that of chunks that are missing or damaged.
func isLost(err error) bool { return errors.Is(err, errMoved) || errors.Is(err, errDamaged) }

var (
	errNoRepo   = errs.New("", "the repository is nil or zero", "make it with In(table), of a document that Define returned")
	errNil      = errs.New("", "the document is nil", "give a pointer to a document")
	errPath     = errs.New("", "it has another partition key than the root", "set the fields of its partition key, or leave them empty")
	errTwice    = errs.New("", "two items of the document have the same key", "give each its own")
	errReplaced = stale("another writer saved or deleted the document since it was read", "read it again, and decide again")
	errExpired  = stale("the document has expired since it was read", "read it again, or save it without a State as a new one")
	errMoved    = stale("the document was saved while it was read", "read it again")

	errIncomplete = &errs.ValidationError{Problems: []errs.Problem{{
		Reason: ErrIncomplete.Error(), Hint: "only this package may add and delete items of a document; read it with document.Unverified, and save it", Cause: ErrIncomplete,
	}}}
)
