// Package hooks lets the public packages of the library use each other's unexported state. Package
// entity sets the functions below when it is initialized.
package hooks

import (
	"reflect"

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
	// RepoOf returns the *repo.Repo of a repository or reader of package entity, or nil.
	RepoOf func(any) any
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
