package repo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
)

// DeleteCollectionName is the name of the operation in errors and events.
const DeleteCollectionName = "delete collection"

// Deleted is what the deletion of an item collection deleted.
type Deleted struct {
	Items    int
	ByType   map[string]int // by type name; "" for items of unregistered types
	Guards   int
	Capacity trestle.Capacity
}

// DeleteCollection deletes the items that a plan reads. The plan returns the keys and the types of
// the items of one partition of the table.
func DeleteCollection(ctx context.Context, c *exec.Config, p *read.Plan, bounds fetch.Bounds, o BatchOptions) (Deleted, error) {
	d := &collectionDelete{config: c, schema: p.Schema, deleted: Deleted{ByType: map[string]int{}}, counting: map[string]bool{}}
	progress := o.Progress
	o.Progress = func(now BatchProgress) {
		d.deleted.Capacity = now.Capacity
		if progress != nil {
			progress(now)
		}
	}
	counts := func(p *core.Plan) bool { return p != nil && len(p.Counters) > 0 }
	others := func(p *core.Plan) bool { return !counts(p) }
	b := batch.Batch{Name: DeleteCollectionName, Table: c.Table, Config: c, Options: o}
	var failed error // of the reads
	err := b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		failed = nil
		if slices.ContainsFunc(p.Schema.Plans, counts) {
			failed = d.pass(ctx, p, bounds, counts, yield)
		}
		if failed == nil {
			failed = d.pass(ctx, p, bounds, others, yield)
		}
		if errors.Is(failed, errEnough) {
			failed = nil
		}
	})
	return d.deleted, cmp.Or(err, failed)
}

// errEnough ends a pass, because the batch takes no more items.
var errEnough = errors.New("the batch takes no more items")

// collectionDelete is a running deletion. Items that count others are deleted in a first pass, so
// the items that they count can be deleted without changing the counts. If the deletion stops in
// between, all counts are right.
//
// It is the sink of the reads, and collects a page of items.
type collectionDelete struct {
	config  *exec.Config
	schema  *core.Schema
	page    []collectionItem
	of      func(*core.Plan) bool // the types of the pass
	deleted Deleted

	mu       sync.Mutex
	counting map[string]bool // the identities of deleted items that counted others
}

// pass reads the items and yields those of some types.
func (d *collectionDelete) pass(
	ctx context.Context, p *read.Plan, bounds fetch.Bounds, of func(*core.Plan) bool, yield func(any, batch.Operation) bool,
) error {
	d.of = of
	run := fetch.New(d.config, p, d, bounds, fetch.InTurn, nil)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	for run.Next(ctx) {
		for _, item := range d.page {
			if !yield(item.key, item) {
				run.Stop()
				return errEnough
			}
		}
		d.page = d.page[:0]
	}
	run.Close(ctx)
	return run.Err()
}

// uncounted reports whether an item that counts others was deleted.
func (d *collectionDelete) uncounted(key op.Item) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counting[d.schema.Identity(core.NewRow(key))]
}

// addDeleted records the deletion of an item.
func (d *collectionDelete) addDeleted(p *core.Plan, key op.Item, guards int) {
	name := ""
	if p != nil {
		name = p.Name
	}
	d.deleted.Items++
	d.deleted.ByType[name]++
	d.deleted.Guards += guards
	if p != nil && len(p.Counters) > 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.counting[d.schema.Identity(core.NewRow(key))] = true
	}
}

// Target returns no target, so the run passes the items to Unmatched.
func (d *collectionDelete) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Commit is never called.
func (d *collectionDelete) Commit(*core.Plan) error { return nil }

// Unmatched collects an item.
func (d *collectionDelete) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if d.of(p) {
		d.page = append(d.page, collectionItem{d, p, d.schema.KeyOf(row)})
	}
	return true, nil
}

// collectionItem is the deletion of one item. The plan is nil for an item of no registered type.
type collectionItem struct {
	of   *collectionDelete
	plan *core.Plan
	key  op.Item
}

// Plan plans the deletion.
func (i collectionItem) Plan() (batch.Write, error) {
	s := i.of.schema
	key, plan := i.key, i.plan
	if plan == nil {
		plan = &core.Plan{Schema: s}
	}
	o, guards := write.DeleteKey(plan, key, i.of.config.Table, i.of.uncounted)
	o.Name = DeleteCollectionName
	return batch.Write{Operation: o, Config: i.of.config, Stamp: func() error {
		i.of.addDeleted(i.plan, key, *guards)
		return nil
	}}, nil
}
