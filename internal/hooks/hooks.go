// Package hooks lets the public packages of the library use each other's unexported state. Package
// entity sets the functions below when it is initialized.
package hooks

import (
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/exec"
)

// Source is the content of a repository or a reader.
type Source struct {
	Config  *exec.Config
	Plan    *core.Plan
	Strong  bool
	Expired bool          // reads return expired items
	Cursors *cursor.Codec // nil: opened without cursors
	Err     error         // not nil if the source cannot be used
}

// Expiry returns which items have expired at this moment. It is zero if reads return them.
func (s *Source) Expiry() core.Expiry {
	if s.Expired {
		return core.Expiry{}
	}
	return core.ExpiryOf(s.Plan, s.Config.Now)
}

// Table is the content of an opened table.
type Table struct {
	Config  *exec.Config
	Schema  *core.Schema
	Expired bool          // reads return expired items
	Cursors *cursor.Codec // nil: opened without cursors
	Err     error         // not nil if the table cannot be used
}

// Schema is the content of a schema.
type Schema struct {
	Schema *core.Schema
	// Later adds a check of the complete schema, whose issues the schema reports with its own. It
	// returns false if the schema is closed.
	Later func(check func() []trestle.Issue) bool
	Err   error // not nil if the schema cannot be used
}

// Projection is the content of a projection of an entity type to a smaller struct.
type Projection struct {
	Plan   *core.Plan
	Fields []*codec.Field // the fields to read of each entity
	Copy   func(entity, part reflect.Value)
	Err    error // not nil if the projection cannot be used
}

var (
	// SourceOf returns the content of a repository or reader of package entity.
	SourceOf func(any) Source
	// TableOf returns the content of a table of package entity.
	TableOf func(any) Table
	// SchemaOf returns the content of a schema of package entity.
	SchemaOf func(any) Schema
	// RepoOf returns the *repo.Repo of a repository or reader of package entity, or nil.
	RepoOf func(any) any
	// SetTenant sets the tenant of the handle of a repository of package entity in an entity that
	// has none. An entity that the handle refuses stays as it is.
	SetTenant func(source, entity any)
	// RepoProjectionOf returns the *repo.Projection of a projection of package entity, or nil.
	RepoProjectionOf func(any) any
	// BatchOptionsOf returns the repo.BatchOptions of a []entity.BatchOption.
	BatchOptionsOf func(any) any
	// OperationOf returns the *repo.Op of an entity.Operation, or nil.
	OperationOf func(any) any
	// PlanOf returns the plan of a type of package entity, or nil for any other value.
	PlanOf func(any) *core.Plan
	// ProjectionOf returns the content of a projection of package entity.
	ProjectionOf func(any) Projection
)
