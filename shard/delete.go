package shard

import (
	"context"
	"iter"
	"slices"

	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/op"
)

// Delete deletes a counter, with its shards, events and writers, and its name in the list of names.
// The markers of mode ExactForever stay: an increment that was counted does not count again. Call
// it when no program adds to the counter any more. After an error, call Delete again: the total
// item is deleted last.
//
// It costs the read units of a total, and 1 write unit for each item. An error is a
// [*trestle.UnprocessedError] if some items are left.
func (c *Counters) Delete(ctx context.Context, name string) error {
	if err := c.ready(opDelete, name); err != nil {
		return err
	}
	var last []op.Item
	for _, of := range c.all(name) {
		if err := c.deleteParts(ctx, of); err != nil {
			return err
		}
		key, err := c.layout.totalKey(of)
		if err != nil {
			return c.failed(opDelete, err)
		}
		last = append(last, key)
		c.cache.forget(of)
	}
	if c.config.Listed {
		last = append(last, c.nameKey(name))
	}
	return c.deleteAll(ctx, slices.Values(last))
}

// deleteParts deletes all items of a counter except the total item.
func (c *Counters) deleteParts(ctx context.Context, of counter) error {
	if c.config.Mode == Events {
		return c.deleteEvents(ctx, of)
	}
	keys, err := c.partKeys(ctx, of)
	if err != nil {
		return err
	}
	items := make([]op.Item, len(keys))
	targets := make([]target, len(keys))
	for i, key := range keys {
		targets[i] = target{key, &items[i]}
	}
	if err := c.batchGet(ctx, opDelete, targets, true); err != nil {
		return err
	}
	return c.deleteAll(ctx, func(yield func(op.Item) bool) {
		for i, key := range keys {
			if items[i] != nil && !yield(key) {
				return
			}
		}
	})
}

// partKeys returns the keys of the parts of a counter, also of shards that readers no longer read.
func (c *Counters) partKeys(ctx context.Context, of counter) (keys []op.Item, err error) {
	s, err := c.readState(ctx, opDelete, of, true)
	if err != nil {
		return nil, err
	}
	parts := c.parts(&s)
	for i := range s.moved {
		if i >= s.max {
			parts = append(parts, part{shard: i})
		}
	}
	for _, p := range parts {
		key, err := c.layout.partKey(of, p)
		if err != nil {
			return nil, c.failed(opDelete, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// deleteEvents deletes the events of a counter while it reads them.
func (c *Counters) deleteEvents(ctx context.Context, of counter) error {
	var failure error
	err := c.deleteAll(ctx, func(yield func(op.Item) bool) {
		failure = c.eachEvent(ctx, opDelete, []counter{of}, func(item op.Item) (bool, error) {
			s := c.schema
			return yield(op.Item{s.Partition.Name: item[s.Partition.Name], s.Sort.Name: item[s.Sort.Name]}), nil
		})
	})
	if failure != nil {
		return failure
	}
	return err
}

// deleteAll deletes items by their keys, in batches.
func (c *Counters) deleteAll(ctx context.Context, keys iter.Seq[op.Item]) error {
	b := batch.Batch{Name: opDelete, Table: c.exec.Table, Entity: c.plan, Config: c.exec}
	return b.Write(ctx, func(yield func(any, batch.Operation) bool) {
		for key := range keys {
			if !yield(nil, deletion{c, key}) {
				return
			}
		}
	})
}

// deletion is the deletion of an item.
type deletion struct {
	of  *Counters
	key op.Item
}

// Plan plans the deletion.
func (d deletion) Plan() (batch.Write, error) {
	return batch.Write{Config: d.of.exec, Operation: op.Operation{
		Name: opDelete, Plan: d.of.plan, Actions: []op.Action{{Verb: op.Delete, Plan: d.of.plan, Key: d.key, Idempotent: true}},
	}}, nil
}
