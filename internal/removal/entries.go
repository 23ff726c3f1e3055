package removal

import (
	"context"
	"errors"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/registry"
)

// eachEntry calls f for the entries of the tenant's partitions, several at the same time, and other
// for items that are no entries.
func (r *run) eachEntry(ctx context.Context, f func(context.Context, registry.Entry) error, other func(context.Context, op.Item, error) error) error {
	for _, bucket := range registry.Buckets(r.Schema, r.ID) {
		err := r.read(ctx, bucket, func(ctx context.Context, items []op.Item) error {
			entries := make([]registry.Entry, 0, len(items))
			for _, item := range items {
				e, err := registry.EntryOf(r.Schema, item)
				if err == nil {
					entries = append(entries, e)
				} else if err := other(ctx, item, err); err != nil {
					return err
				}
			}
			return parallel(ctx, r.Concurrency, entries, f)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// removeEntry deletes the items of a recorded partition, and then the entry: if the partition was
// read empty after the time until which a program may write to it without another entry, and if the
// entry is still the one that was read. Otherwise an item could follow that nothing leads to.
func (r *run) removeEntry(ctx context.Context, e registry.Entry) error {
	settled := r.NoOtherWriters || registry.Settled(e.Seen, r.Own.Now())
	empty, err := r.empty(ctx, e.Partition, 1)
	if err != nil {
		return err
	}
	left := &e
	if settled && empty {
		if left, err = r.deleteEntry(ctx, e); err != nil {
			return err
		}
	}
	r.locked(func() {
		r.report.Partitions++
		if left != nil {
			r.report.Left++
			if again := registry.SettledAt(left.Seen); again.After(r.report.Again) {
				r.report.Again = again
			}
		}
	})
	return nil
}

// deleteEntry deletes an entry. It returns the entry that is left if a program has recorded the
// partition again, or nil.
func (r *run) deleteEntry(ctx context.Context, e registry.Entry) (left *registry.Entry, err error) {
	err = r.do(ctx, []op.Action{e.Delete(r.Schema)}, func(op.Reply) {})
	var failed *exec.ConditionFailure
	switch {
	case !errors.As(err, &failed):
		return nil, err
	case failed.Existing == nil: // a lost reply, or another removal
		return nil, nil
	}
	newer, err := registry.EntryOf(r.Schema, failed.Existing)
	return &newer, err
}

// removeOther deletes an item that is among the entries, but is none. Only a scan does, because it
// finds what another program has stored; otherwise the item is kept.
func (r *run) removeOther(ctx context.Context, item op.Item, err error) error {
	if !r.ByScan {
		r.keep(item, errs.Undecodable(err))
		return nil
	}
	_, err = r.deletePage(ctx, []op.Item{item}, 1)
	return err
}

// do executes actions as an operation of the run, and calls take with the reply.
func (r *run) do(ctx context.Context, actions []op.Action, take func(op.Reply)) error {
	o := &op.Operation{Name: r.name, Plan: &core.Plan{Schema: r.Schema}, Actions: actions}
	return exec.Do(ctx, r.Own, o, func(reply op.Reply) error {
		r.locked(func() { r.report.Capacity.Add(reply.Capacity) })
		take(reply)
		return nil
	})
}
