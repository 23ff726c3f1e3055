package removal

import (
	"context"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/registry"
	"github.com/trestledb/trestle/internal/reserved"
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

// check counts the items and the entries.
func (r *run) check(ctx context.Context) error {
	var derived []string
	var err error
	if r.ByScan {
		err = r.scan(ctx, r.count)
	} else if derived, err = registry.Derived(r.Schema, r.ID); err == nil {
		err = parallel(ctx, r.Concurrency, derived, func(ctx context.Context, partition string) error { return r.read(ctx, partition, r.count) })
	}
	if err != nil || !registry.Possible(r.Schema) {
		return err
	}
	return r.eachEntry(ctx, func(ctx context.Context, e registry.Entry) error {
		r.locked(func() {
			r.report.Items++
			r.report.ByType[reserved.PartitionsType]++
		})
		if r.ByScan || slices.Contains(derived, e.Partition) {
			return nil // its items are counted
		}
		return r.read(ctx, e.Partition, r.count)
	}, func(ctx context.Context, item op.Item, _ error) error { return r.count(ctx, []op.Item{item}) })
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
