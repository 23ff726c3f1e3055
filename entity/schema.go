package entity

import (
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/repo"
)

// Schema is the set of entity types of a table, with its key attributes and indexes. It has no
// client, so a program declares it once and can open it on any number of tables. [NewSchema]
// returns it. After the first successful Open it accepts no more types. It is safe for concurrent
// use.
type Schema struct {
	definitions *define.Definitions
	observer    trestle.Observer
}

// NewSchema returns a schema. [Schema.Err] and [Schema.Open] report mistakes of the configuration
// with all other mistakes.
func NewSchema(c Config) *Schema {
	markers := define.Markers{Key: reflect.TypeFor[Key](), Index: reflect.TypeFor[Index](), Unique: reflect.TypeFor[Unique]()}
	return &Schema{define.New(c, markers), c.Observer}
}

// errNoSchema is the error of a schema that NewSchema did not return.
var errNoSchema = &trestle.DefinitionError{Issues: []trestle.Issue{{
	Field: "Schema", Offset: -1, Reason: "the schema is empty", Hint: "make it with entity.NewSchema",
}}}

// Err returns a [*trestle.DefinitionError] with all mistakes of the schema, its types and its
// projections, or nil. Open does the same validation; it is also enough as the test of an
// application's schema.
func (s *Schema) Err() error {
	if s.empty() {
		return errNoSchema
	}
	return s.definitions.Err()
}

func (s *Schema) empty() bool { return s == nil || s.definitions == nil }

// open validates the schema and closes it for further declarations.
func (s *Schema) open() error {
	if s.empty() {
		return errNoSchema
	}
	return s.definitions.Open()
}

// define adds a type to the schema.
func (s *Schema) define(t reflect.Type, spec *Spec) *repo.Type {
	if s.empty() {
		return &repo.Type{Valid: s.Err}
	}
	plan, ok := s.definitions.Define(t, spec)
	return &repo.Type{Schema: s.definitions.Schema, Plan: plan, Late: !ok, Valid: s.Err, Note: s.definitions.Add}
}
