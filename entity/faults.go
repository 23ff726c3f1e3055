package entity

import (
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
)

// DefinitionError lists all mistakes of a schema, in the order of the declarations.
type DefinitionError struct {
	Faults []Fault
	text   string
}

// Error lists all mistakes.
func (e *DefinitionError) Error() string { return e.text }

// Unwrap returns [trestle.ErrInvalid].
func (e *DefinitionError) Unwrap() error { return errs.Invalid }

// Fault is one mistake in a declaration. A mistake that appears in several places is one fault, at
// the first place.
type Fault struct {
	Type   string // the Go type; empty for the Config
	Entity string // the type name
	Field  string // the Go field or the marker
	Tag    string // the tag key
	Text   string // the template or tag as written
	Offset int    // byte offset in Text; -1: unknown
	Reason string // what is wrong, and where else
	Hint   string // the likely fix
}

func verdict(faults []define.Fault) error {
	faults = define.Merge(faults)
	if len(faults) == 0 {
		return nil
	}
	e := &DefinitionError{text: define.Text(faults)}
	for _, f := range faults {
		e.Faults = append(e.Faults, Fault{
			Type: f.Type, Entity: f.Entity, Field: f.Field, Tag: f.Tag, Text: f.Text, Offset: f.Offset, Reason: f.Says(), Hint: f.Hint,
		})
	}
	return e
}
