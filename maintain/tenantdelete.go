package maintain

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/internal/write"
)

// deletePage deletes items in batches. Items with unique values are deleted in a transaction with
// their guards, because only the item leads to them. It returns the number of items that are kept,
// because their guards cannot be found.
func (r *removal) deletePage(ctx context.Context, items []op.Item) (kept int, err error) {
	list := make([]deletion, 0, len(items))
	for _, item := range items {
		if d, err := r.deletion(item); err != nil {
			r.keep(item, err)
		} else {
			list = append(list, d)
		}
	}
	err = r.deleteAll(ctx, list)
	if !r.options.Scan && changed(err, len(list)) {
		err = nil // the partition is read again
	}
	return len(items) - len(list), err
}

// keep adds the problem of an item that is kept, once: it is read again with its partition.
func (r *removal) keep(item op.Item, err error) {
	row := core.NewRow(item)
	if id := r.Schema.Identity(row); !r.kept[id] {
		r.kept[id] = true
		r.problems.add(Problem{Kind: Undecodable, Entity: r.Schema.TypeName(row), Item: r.Schema.KeyOf(row), Err: err})
	}
}

// deleteAll executes deletions in batches.
func (r *removal) deleteAll(ctx context.Context, list []deletion) error {
	var used trestle.Capacity
	b := batch.Batch{Name: r.Name, Table: r.own.Table, Config: r.own, Options: batch.Options{
		Concurrency: r.Concurrency, Progress: func(p batch.Progress) { used = p.Capacity },
	}}
	err := b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for _, d := range list {
			if !yield(nil, d) {
				return
			}
		}
	})
	r.Spend(used)
	return err
}

// deletion plans the deletion of an item. The error is that of an item whose guards cannot be
// found. A run that finds guards itself deletes such an item.
func (r *removal) deletion(item op.Item) (d deletion, err error) {
	d = deletion{of: r, item: item, guards: new(int)}
	p := r.Schema.PlanOf(core.NewRow(item))
	switch {
	case p != nil && len(p.Uniques) > 0:
		d.operation, d.guards, err = write.DeleteStored(p, item, r.own.Table)
		if err != nil && r.findsGuards() {
			d.guards = new(int)
			d.operation, err = write.DeleteAlone(r.Schema, p, item)
		}
	case r.mayGetGuards(item):
		d.operation, err = write.DeleteAlone(r.Schema, nil, item)
	default:
		d.operation, _ = write.DeleteKey(&core.Plan{Schema: r.Schema}, r.Schema.KeyOf(core.NewRow(item)), r.own.Table, nil)
	}
	d.operation.Name = r.Name
	return d, err
}

// mayGetGuards reports whether another writer may replace an item by one of a type with unique
// values.
func (r *removal) mayGetGuards(item op.Item) bool {
	row := core.NewRow(item)
	return !reserved.Is(r.ownPartition(item)) &&
		slices.ContainsFunc(r.Schema.Plans, func(p *core.Plan) bool { return len(p.Uniques) > 0 && p.MatchesKey(row) })
}

// changed reports whether a batch of so many deletions only failed for items that changed after
// they were read.
func changed(err error, deletions int) bool {
	var left *trestle.UnprocessedError
	if !errors.As(err, &left) || left.Consumed < deletions {
		return false
	}
	return !slices.ContainsFunc(left.Failures, func(f trestle.BatchFailure) bool {
		var failed *exec.ConditionFailure
		return !errors.As(f.Err, &failed) && !errors.Is(f.Err, trestle.ErrNotFound)
	})
}

// deletion is the deletion of an item in a batch.
type deletion struct {
	of        *removal
	item      op.Item
	operation op.Operation
	guards    *int // the number of guards that it deletes
}

// Plan returns the operation.
func (d deletion) Plan() (batch.Write, error) {
	return batch.Write{Operation: d.operation, Config: d.of.own, Stamp: func() error {
		d.of.deleted(d.item, *d.guards)
		return nil
	}}, nil
}

// deleted adds an item and its guards to the report.
func (r *removal) deleted(item op.Item, guards int) {
	if r.isGuard(item) {
		guards++
	} else {
		r.count(item)
	}
	r.Locked(func() { r.report.Deleted += guards })
}

// send sends actions as an operation of the run, and calls take with the reply.
func (r *removal) send(ctx context.Context, actions []op.Action, take func(op.Reply)) error {
	o := &op.Operation{Name: r.Name, Plan: &core.Plan{Schema: r.Schema}, Actions: actions}
	return exec.Do(ctx, r.own, o, func(reply op.Reply) error {
		r.Spend(reply.Capacity)
		take(reply)
		return nil
	})
}
