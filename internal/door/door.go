// Package door lets the public packages of the library see into each other's types without showing anything to others: a package sets a
// door in its init over unexported methods, and its friends go through it.
package door

import (
	"reflect"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/op"
)

// Source is what a repository, or a reader of one, is made of.
type Source struct {
	Env     *call.Env
	Plan    *core.Plan
	Strong  bool
	Cursors *cursor.Codec // nil: none were asked for
	Err     error         // why it cannot be used
}

// Table is what an opened table is made of.
type Table struct {
	Env     *call.Env
	Schema  *core.Schema
	Cursors *cursor.Codec // nil: none were asked for
	Err     error         // why it cannot be used
}

// Projection is what a projection of an entity type to a smaller struct is made of.
type Projection struct {
	Plan   *core.Plan
	Fields []*codec.Field // what is read of each entity
	Copy   func(entity, part reflect.Value)
	Err    error // why it cannot be used
}

var (
	// SourceOf opens a repository or reader of package entity.
	SourceOf func(any) Source
	// TableOf opens a table of package entity.
	TableOf func(any) Table
	// PlanOf opens a type of package entity; nil for anything else.
	PlanOf func(any) *core.Plan
	// ProjectionOf opens a projection of package entity.
	ProjectionOf func(any) Projection
	// KeyOf renders the table's key of an example.
	KeyOf func(p *core.Plan, example codec.Ptr) (op.Item, error)
	// Unprocessed makes package entity's error of a batch that was done in part: the items are what is left.
	Unprocessed func(items []any, err error) error
	// Explanation makes package entity's Explanation of a report.
	Explanation func(explain.Report) any
	// Fail makes package entity's error of an operation that failed; nil for nil.
	Fail func(error) error
)
