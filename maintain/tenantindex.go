package maintain

import (
	"context"
	"errors"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/table"
)

// ownItem notes an item of the library that is not under its key in the tenant index.
func (r *reindexTask) ownItem(row core.Row) {
	key := r.Schema.KeyOf(row)
	for name, av := range r.Schema.OwnAttributes("", key) {
		if !core.SameValue(row.Attribute(name), av) {
			r.own = append(r.own, key)
			return
		}
	}
}

// indexOwn writes the key in the tenant index of items of the library.
func (r *reindexTask) indexOwn(ctx context.Context, keys []op.Item) error {
	return r.Parallel(ctx, len(keys), func(ctx context.Context, i int) error {
		if !r.options.DryRun {
			u := libitem.NewUpdate(keys[i])
			u.SetOwn(r.Schema, "")
			u.Require(clause.AnItem{Key: &r.Schema.Partition})
			a := u.Action()
			a.Plan, a.Idempotent = &core.Plan{Schema: r.Schema}, true
			err := r.Do(ctx, a.Plan, []op.Action{a}, func(op.Reply) {})
			if failed := (*exec.ConditionFailure)(nil); errors.As(err, &failed) {
				return nil // it is deleted
			}
			if err != nil {
				return err
			}
		}
		r.Locked(func() { r.report.Updated++ })
		return nil
	})
}

// complete stores that the tenant index is complete, if the run and the earlier ones have read all
// items, and have left no problem.
func (r *reindexTask) complete(ctx context.Context) error {
	if !r.whole || r.options.DryRun || r.left() > 0 || r.Earlier() > 0 {
		return nil
	}
	return table.Table{Config: r.Config, Schema: r.Schema}.SetComplete(ctx, r.Name)
}

// begin lets the tenant index of the other table count as complete only if that of this one is, in
// the same form.
func (r *copyTask) begin(ctx context.Context) error {
	if r.to.Schema.TenantIndex == nil || r.options.DryRun || r.options.From != "" {
		return nil
	}
	from, to := table.Table{Config: r.Config, Schema: r.Schema}, table.Table{Config: r.to.Config, Schema: r.to.Schema}
	if from.Schema.TenantIndexForm() == to.Schema.TenantIndexForm() && from.Schema.TenantIndex.Name == to.Schema.TenantIndex.Name {
		complete, err := from.IsComplete(ctx, r.Name)
		if err != nil || complete {
			return err
		}
	}
	return to.SetIncomplete(ctx, r.Name)
}
