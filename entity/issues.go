package entity

import (
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/errs"
)

// DefinitionError lists all mistakes of a schema, in the order of the declarations.
type DefinitionError struct {
	Issues []Issue
	text   string
}

// Error lists all mistakes.
func (e *DefinitionError) Error() string { return e.text }

// Unwrap returns [trestle.ErrInvalid].
func (e *DefinitionError) Unwrap() error { return errs.Invalid }

// Issue is one mistake in a declaration. A mistake that appears in several places is one issue, at
// the first place.
type Issue struct {
	Type   string // the Go type; empty for the Config
	Entity string // the type name
	Field  string // the Go field or the marker
	Tag    string // the tag key
	Text   string // the template or tag as written
	Offset int    // byte offset in Text; -1: unknown
	Reason string // what is wrong, and where else
	Hint   string // the likely fix
}

func verdict(issues []define.Issue) error {
	issues = define.Merge(issues)
	if len(issues) == 0 {
		return nil
	}
	e := &DefinitionError{text: define.Text(issues)}
	for _, f := range issues {
		e.Issues = append(e.Issues, Issue{
			Type: f.Type, Entity: f.Entity, Field: f.Field, Tag: f.Tag, Text: f.Text, Offset: f.Offset, Reason: f.Message(), Hint: f.Hint,
		})
	}
	return e
}
