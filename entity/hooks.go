package entity

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/repo"
)

func init() {
	hooks.SourceOf = func(source any) hooks.Source {
		if s, ok := source.(opener); ok {
			return s.open().Source()
		}
		return (*repo.Repo)(nil).Source()
	}
	hooks.ProjectionOf = func(projection any) hooks.Projection {
		if p, ok := projection.(interface{ projection() *repo.Projection }); ok {
			return p.projection().Source()
		}
		return (*repo.Projection)(nil).Source()
	}
	hooks.TableOf = func(table any) hooks.Table {
		t, _ := table.(*Table)
		if err := t.opened(); err != nil {
			return hooks.Table{Err: err}
		}
		return hooks.Table{Config: &t.view.Exec, Schema: t.view.Schema, Expired: t.view.Expired, Cursors: t.view.Cursors, Err: t.view.Err}
	}
	hooks.SchemaOf = func(schema any) hooks.Schema {
		s, _ := schema.(*Schema)
		if s.empty() {
			return hooks.Schema{Err: errNoSchema}
		}
		return hooks.Schema{Schema: s.definitions.Schema, Later: s.definitions.Later}
	}
	hooks.RepoOf = func(source any) any {
		if s, ok := source.(opener); ok {
			return s.open()
		}
		return (*repo.Repo)(nil)
	}
	hooks.SetTenant = func(source, entity any) {
		if s, ok := source.(opener); ok {
			s.open().SetTenant(entity)
		}
	}
	hooks.RepoProjectionOf = func(projection any) any {
		if p, ok := projection.(interface{ projection() *repo.Projection }); ok {
			return p.projection()
		}
		return (*repo.Projection)(nil)
	}
	hooks.BatchOptionsOf = func(options any) any {
		list, _ := options.([]BatchOption)
		return batchOptions(list)
	}
	hooks.OperationOf = func(operation any) any {
		if o, ok := operation.(Operation); ok {
			return o.operation()
		}
		return (*repo.Op)(nil)
	}
	hooks.PlanOf = func(entityType any) *core.Plan {
		t, ok := entityType.(interface{ declared() *repo.Type })
		if !ok || t.declared() == nil {
			return nil
		}
		return t.declared().Plan
	}
}

// opener is implemented by every Source, for any T.
type opener interface{ open() *repo.Repo }

//go:noinline
func (r *Repo[T]) open() *repo.Repo { return (*repo.Repo)(r) }

//go:noinline
func (r *Reader[T]) open() *repo.Repo { return (*repo.Repo)(r) }
