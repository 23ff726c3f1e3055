package removal

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

// Check returns a *trestle.TenantItemsError if the table has items of the tenant.
func (t Tenant) Check(ctx context.Context, o Options) error {
	r := newRun(t, CheckName, o)
	if err := r.start(ctx); err != nil {
		return err
	}
	if err := r.wrap(r.check(ctx)); err != nil {
		return err
	}
	if r.report.Items == 0 {
		return nil
	}
	return &trestle.TenantItemsError{Table: t.Own.Table, Items: r.report.Items, ByType: r.report.ByType}
}

// check counts the items.
func (r *run) check(ctx context.Context) error {
	if r.ByScan {
		return r.scan(ctx, r.count)
	}
	return r.eachPartition(ctx, func(ctx context.Context, p partition) error { return r.read(ctx, p, r.count) })
}

// count adds items to the report.
func (r *run) count(_ context.Context, items []op.Item) error {
	r.locked(func() {
		for _, item := range items {
			r.deleted(item)
		}
	})
	return nil
}
