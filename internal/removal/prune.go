package removal

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/registry"
)

// Prune deletes the entries of partitions that are empty. It deletes no items. It returns what it
// deleted, also with an error.
func (t Tenant) Prune(ctx context.Context, o Options) (trestle.RemovalReport, error) {
	r := newRun(t, PruneName, o)
	err := r.pruneProblems()
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return r.current(), r.refuse(err)
	}
	err = r.wrap(r.eachEntry(ctx, r.pruneEntry, func(context.Context, op.Item, error) error { return nil }))
	return r.current(), err
}

// pruneProblems returns why the entries of the tenant cannot be pruned, or nil.
func (r *run) pruneProblems() error {
	var wrong errs.Problems
	if !registry.Possible(r.Schema) {
		wrong.Add("", "the table has no sort key of type S, so it has no entries of the partitions of a tenant", "nothing can be pruned")
	}
	if r.ByScan || r.NoOtherWriters {
		wrong.Add("", "an option is one of a removal", "leave out RemoveByScan and RemoveIdle")
	}
	return wrong.Err()
}

// pruneEntry deletes the entry of a partition by the rule of removeEntry, if the partition has no
// items.
func (r *run) pruneEntry(ctx context.Context, e registry.Entry) error {
	left := &e
	if registry.Settled(e.Seen, r.Own.Now()) { // before the partition is read
		occupied, err := r.occupied(ctx, e.Partition)
		if err == nil && !occupied {
			left, err = r.deleteEntry(ctx, e)
		}
		if err != nil {
			return err
		}
	}
	r.locked(func() {
		r.report.Partitions++
		if left != nil {
			r.report.Left++
		}
	})
	return nil
}

// occupied reports whether a partition has items. It reads one. A page may be empty while an item
// follows.
func (r *run) occupied(ctx context.Context, partition string) (found bool, err error) {
	call, in := r.query(partition)
	in.Limit = aws.Int32(1)
	err = call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more && !found; more = len(in.ExclusiveStartKey) > 0 {
			page := r.Own.Page(ctx, in, nil)
			err := r.took(ctx, &call, &page, func(_ context.Context, items []op.Item) error {
				found = len(items) > 0
				return nil
			})
			if err != nil {
				return err
			}
			in.ExclusiveStartKey = page.Last
		}
		return nil
	})
	return found, err
}
