package repo

import (
	"context"

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
	d := &collectionDelete{config: c, schema: p.Schema, deleted: Deleted{ByType: map[string]int{}}}
	progress := o.Progress
	o.Progress = func(now BatchProgress) {
		d.deleted.Capacity = now.Capacity
		if progress != nil {
			progress(now)
		}
	}
	run := fetch.New(c, p, d, bounds, fetch.InTurn, nil)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	b := batch.Batch{Name: DeleteCollectionName, Table: c.Table, Config: c, Options: o}
	err := b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for run.Next(ctx) {
			for _, item := range d.page {
				if !yield(d.schema.KeyOf(item.row), item) {
					run.Stop()
					return
				}
			}
			d.page = d.page[:0]
		}
	})
	run.Close(ctx)
	if err == nil {
		err = run.Err()
	}
	return d.deleted, err
}

// collectionDelete is a running deletion. It is the sink of the read, and collects a page of items.
type collectionDelete struct {
	config  *exec.Config
	schema  *core.Schema
	page    []collectionItem
	deleted Deleted
}

// Target returns no target, so the run passes the items to Unmatched.
func (d *collectionDelete) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Commit is never called.
func (d *collectionDelete) Commit(*core.Plan) error { return nil }

// Unmatched collects an item.
func (d *collectionDelete) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	d.page = append(d.page, collectionItem{d, p, row})
	return true, nil
}

// collectionItem is the deletion of one item. The plan is nil for an item of no registered type.
type collectionItem struct {
	of   *collectionDelete
	plan *core.Plan
	row  core.Row
}

// Plan plans the deletion. The items that count it are not changed if they are in the same
// collection, which is deleted too.
func (i collectionItem) Plan() (batch.Write, error) {
	s, d := i.of.schema, &i.of.deleted
	key, name := s.KeyOf(i.row), ""
	plan := i.plan
	if plan == nil {
		plan = &core.Plan{Schema: s}
	} else {
		name = plan.Name
	}
	o := write.DeleteKey(plan, key, key[s.Partition.Name])
	guards := 0
	if o.PreRead != nil {
		inner := o.PreRead.Plan
		o.PreRead.Plan = func(stored []op.Item) ([]op.Action, error) {
			actions, err := inner(stored)
			if err != nil {
				return nil, err
			}
			guards = 0
			for _, a := range actions {
				if a.Guard != nil {
					guards++
				}
			}
			return write.Combine(actions, i.of.config.Table)
		}
	}
	o.Name = DeleteCollectionName
	return batch.Write{Operation: o, Config: i.of.config, Stamp: func() error {
		d.Items++
		d.ByType[name]++
		d.Guards += guards
		return nil
	}}, nil
}
