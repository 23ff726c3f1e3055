package maintain

import (
	"context"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/table"
)

// tenantTask is a run over the items of a tenant.
type tenantTask struct {
	*task
	tenant string
	own    *exec.Config // of the handle of the tenant
	all    []partition  // of a run by queries
	end    func()       // is called after the last item; may be nil
}

// handler handles a page of items. pass is how often they were read before. It reports whether they
// are to be read again.
type handler func(ctx context.Context, items []op.Item, pass int) (again bool, err error)

// newTenant returns a run over the items of a tenant.
func (r Run) newTenant(t *entity.Table, name, tenant string) (*tenantTask, error) {
	k, err := r.newTask(t, name, 0)
	if err != nil {
		return nil, err
	}
	of := hooks.TableOf(t.Tenant(tenant))
	own := &tenantTask{task: k, tenant: tenant, own: of.Config}
	if err = of.Err; err == nil {
		err = own.validate()
	}
	if err != nil {
		return nil, k.Fail(k.Outcome, err)
	}
	return own, nil
}

// validate reports why the items of the tenant cannot be found.
func (r *tenantTask) validate() error {
	var wrong errs.Problems
	s := r.Schema
	switch {
	case r.options.Scan:
		return nil
	case r.options.From != "":
		wrong.Add("Run.From", "a run by queries has no tokens", "start it again: it deletes what is left")
	case s.TenantIndex == nil:
		if p := r.unfound(); p != nil {
			wrong.Add("", "the items of "+p.Name+" are in no partition that follows from the tenant", "set TenantIndex of the configuration, or Scan of the run")
		}
		if !s.TypesOnly {
			wrong.Add("", "the counters, locks and chunks of documents of the tenant are found only by a tenant index or a scan",
				"set TenantIndex of the configuration; or set it to None if the tenants have none; or set Scan of the run")
		}
	}
	return wrong.Err()
}

// do passes all items of the tenant to a handler.
func (r *tenantTask) do(ctx context.Context, handle handler) (Report, error) {
	stages, each := 0, r.query
	if r.options.Scan {
		stages, each = 1, r.scan
	}
	return r.task.do(ctx, stages, func(b cursor.Binding) { b.Text(r.tenant) }, func(ctx context.Context) error {
		err := each(ctx, handle)
		if err == nil && r.end != nil {
			r.end()
		}
		return err
	})
}

// query reads the partitions that have the items of the tenant. It fails if the tenant index is not
// complete.
func (r *tenantTask) query(ctx context.Context, handle handler) error {
	if r.Schema.TenantIndex != nil {
		complete, err := table.Table{Config: r.Config, Schema: r.Schema}.IsComplete(ctx, r.Name)
		if err == nil && !complete {
			err = r.Fail(r.Outcome, errIncomplete)
		}
		if err != nil {
			return err
		}
	}
	var err error
	if r.all, err = r.partitions(); err != nil {
		return r.Fail(r.Outcome, err)
	}
	for _, p := range r.all {
		if err := r.readAgain(ctx, p, handle); err != nil {
			return err
		}
	}
	return nil
}

var errIncomplete = errs.New("", "nothing says that all items of tenants are on the tenant index", "deploy all writers with TenantIndex, and then call Reindex without types; or set Scan of the run")

// scan reads the whole table. The tenants "1" and "10" start alike.
func (r *tenantTask) scan(ctx context.Context, handle handler) error {
	var page []op.Item
	add := func(row core.Row) {
		if item := row.Item(); r.Schema.TenantOf(item) == r.tenant {
			page = append(page, item)
		}
	}
	sink := scan.Sink{Item: func(_ *core.Plan, row core.Row) { add(row) }, Untyped: add, Library: add}
	return r.Scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		items := page
		page = nil
		_, err := handle(ctx, items, 0)
		return true, err
	})
}

// countAll adds items to the report.
func (r *tenantTask) countAll(items []op.Item) {
	for _, item := range items {
		r.count(item)
	}
}

// count adds an item to the report.
func (r *tenantTask) count(item op.Item) {
	name := r.Schema.TypeName(core.NewRow(item))
	r.Locked(func() {
		r.report.Items++
		r.report.ByType[name]++
	})
}
