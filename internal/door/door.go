// Package door gives the public packages of the library access to unexported state of each other's
// types. Package entity sets the functions below in its init. The other packages call them.
package door

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
)

// Source is the content of a repository or a reader.
type Source struct {
	Env     *exec.Config
	Plan    *core.Plan
	Strong  bool
	Cursors *cursor.Codec // nil: opened without cursors
	Err     error         // not nil if the source cannot be used
}

// Table is the content of an opened table.
type Table struct {
	Env     *exec.Config
	Schema  *core.Schema
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
	// PlanOf returns the plan of a type of package entity, or nil for any other value.
	PlanOf func(any) *core.Plan
	// ProjectionOf returns the content of a projection of package entity.
	ProjectionOf func(any) Projection
	// KeyOf renders the table's key of an example.
	KeyOf func(p *core.Plan, example codec.Ptr) (op.Item, error)
	// Unprocessed returns package entity's error of a batch that was processed in part, with the
	// remaining items.
	Unprocessed func(items []any, err error) error
	// Explanation returns package entity's Explanation of a report.
	Explanation func(explain.Report) any
	// Fail returns package entity's error of a failed operation. It returns nil for nil.
	Fail func(error) error
)
