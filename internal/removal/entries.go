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

// eachEntry calls f for the entries of the tenant's partitions, several at the same time.
func (r *run) eachEntry(ctx context.Context, f func(context.Context, registry.Entry) error) error {
	for _, bucket := range registry.Buckets(r.Schema, r.ID) {
		err := r.read(ctx, bucket, func(ctx context.Context, items []op.Item) error {
			entries := make([]registry.Entry, len(items))
			for i, item := range items {
				var err error
				if entries[i], err = registry.EntryOf(r.Schema, item); err != nil {
					return r.fail(errs.Undecodable(err))
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
	deleted := false
	if settled && empty {
		if deleted, err = r.deleteEntry(ctx, e); err != nil {
			return err
		}
	}
	r.locked(func() {
		r.report.Partitions++
		if !deleted {
			r.report.Left++
			if again := registry.SettledAt(e.Seen); again.After(r.report.Again) {
				r.report.Again = again
			}
		}
	})
	return nil
}

// deleteEntry reports whether it deleted the entry.
func (r *run) deleteEntry(ctx context.Context, e registry.Entry) (bool, error) {
	o := &op.Operation{Name: r.name, Plan: &core.Plan{Schema: r.Schema}, Actions: []op.Action{e.Delete(r.Schema)}}
	err := exec.Do(ctx, r.Own, o, func(reply op.Reply) error {
		r.locked(func() { r.report.Capacity.Add(reply.Capacity) })
		return nil
	})
	var failed *exec.ConditionFailure
	if errors.As(err, &failed) {
		return failed.Existing == nil, nil // a lost reply, or another removal
	}
	return err == nil, err
}
