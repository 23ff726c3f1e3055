package entity

import "github.com/trestledb/trestle/internal/define"

// DefinitionError lists everything that is wrong with a schema, in the order of the declarations.
type DefinitionError struct {
	Faults []Fault
	text   string
}

// Error says all of it.
func (e *DefinitionError) Error() string { return e.text }

// Unwrap is [ErrInvalid].
func (e *DefinitionError) Unwrap() error { return ErrInvalid }

// Fault is one mistake in a declaration. A mistake that shows in several places is one fault, at the
// first of them.
type Fault struct {
	Type   string // the Go type; empty for the configuration
	Entity string // its type name
	Field  string // the Go field, or the marker
	Tag    string // the tag it stands in
	Text   string // the template or tag as it is written
	Offset int    // where in the text, in bytes; -1: nowhere in particular
	Reason string // what is wrong, and where else it shows
	Hint   string // the likely cure
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
