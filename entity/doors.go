package entity

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/write"
)

func init() {
	door.SourceOf = sourceOf
	door.ProjectionOf = projectionOf
	door.Fail = failure
	door.TableOf = tableOf
	door.PlanOf = planOf
	door.Explanation = func(r explain.Report) any { return explanation(r) }
	door.KeyOf = write.Key
	door.Unprocessed = func(items []any, err error) error { return unprocessed(items, failure(err)) }
}

// opener is implemented by every Source, for any T.
type opener interface{ open() repo }

func (r *Repo[T]) open() repo   { return (*repo)(r).parts() }
func (r *Reader[T]) open() repo { return (*repo)(r).parts() }

// sourceOf gives other packages the internals of a Source.
func sourceOf(s any) door.Source {
	o, ok := s.(opener)
	if !ok {
		return door.Source{Err: errNoTable}
	}
	r := o.open()
	if err := r.ready(); err != nil {
		return door.Source{Err: err}
	}
	return door.Source{Env: &r.v.env, Plan: r.d.plan, Strong: r.v.strong, Cursors: r.v.cursors}
}

// openedProjection is implemented by every Projection, for any types.
type openedProjection interface {
	parts() (*definition, *projected)
}

func (p Projection[T, P]) parts() (*definition, *projected) { return p.d, p.p }

// projectionOf gives other packages the internals of a Projection.
func projectionOf(p any) door.Projection {
	o, ok := p.(openedProjection)
	if !ok {
		return door.Projection{Err: errNoProjection}
	}
	d, m := o.parts()
	switch {
	case d == nil || m == nil:
		return door.Projection{Err: errNoProjection}
	case d.late:
		return door.Projection{Err: errTooLate}
	}
	return door.Projection{Plan: d.plan, Fields: m.fields, Copy: m.copy}
}

// planOf gives other packages the plan of a Type.
func planOf(t any) *core.Plan {
	d, ok := t.(interface{ definition() *definition })
	if !ok || d.definition() == nil {
		return nil
	}
	return d.definition().plan
}

// tableOf gives other packages the internals of a Table.
func tableOf(t any) door.Table {
	table, _ := t.(*Table)
	if err := table.opened(); err != nil {
		return door.Table{Err: err}
	}
	return door.Table{Env: &table.view.env, Schema: table.schema.core, Cursors: table.view.cursors}
}
