package shard

import (
	"context"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// reading is a counter that is read: its total item and its parts.
type reading struct {
	of    counter
	total op.Item
	parts map[part]*op.Item // that were read; nil items do not exist
	state state
}

// target is an item to read, and where it belongs.
type target struct {
	key  op.Item
	into *op.Item
}

// totalTarget returns the total item as a target.
func (c *Counters) totalTarget(r *reading) (target, error) {
	key, err := c.layout.totalKey(r.of)
	return target{key, &r.total}, err
}

// partTargets returns those of the parts that are not read yet, as targets.
func (c *Counters) partTargets(r *reading, parts []part) (list []target, err error) {
	if r.parts == nil {
		r.parts = make(map[part]*op.Item, len(parts))
	}
	for _, p := range parts {
		if r.parts[p] != nil {
			continue
		}
		key, err := c.layout.partKey(r.of, p)
		if err != nil {
			return nil, err
		}
		r.parts[p] = new(op.Item)
		list = append(list, target{key, r.parts[p]})
	}
	return list, nil
}

// batchGet reads targets, 100 in one request.
func (c *Counters) batchGet(ctx context.Context, operation string, targets []target, strong bool) error {
	if len(targets) == 0 {
		return nil
	}
	keys := make([]fetch.KeyRequest, len(targets))
	for i, t := range targets {
		keys[i] = fetch.KeyRequest{Table: c.exec.Table, Schema: c.schema, Key: t.key, Strong: strong}
	}
	call := exec.NewCall(c.exec, trestle.OperationInfo{Operation: operation, Table: c.exec.Table}, c.plan, trestle.NoWrite)
	_, err := fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(i int, row core.Row) error {
		*targets[i].into = row.Item()
		return nil
	})
	return err
}

// readAll reads counters: their total items with the parts that are known, and then the other
// parts.
func (c *Counters) readAll(ctx context.Context, operation string, list []*reading) error {
	var first []target
	for _, r := range list {
		r.total, r.parts = nil, nil
		parts, err := c.partTargets(r, c.known(r.of))
		if err != nil {
			return c.failed(operation, err)
		}
		total, err := c.totalTarget(r)
		if err != nil {
			return c.failed(operation, err)
		}
		first = append(append(first, total), parts...)
	}
	if err := c.batchGet(ctx, operation, first, true); err != nil {
		return err
	}
	return c.readRest(ctx, operation, list)
}

// readRest decodes the total items, and reads the parts that are not read yet.
func (c *Counters) readRest(ctx context.Context, operation string, list []*reading) (err error) {
	var rest []target
	for _, r := range list {
		if r.state, err = c.decode(operation, r.total); err != nil {
			return err
		}
		if r.state.stored {
			c.cache.put(r.of, r.state, time.Now())
		}
		more, err := c.partTargets(r, c.parts(&r.state))
		if err != nil {
			return c.failed(operation, err)
		}
		rest = append(rest, more...)
	}
	return c.batchGet(ctx, operation, rest, true)
}

// sum returns the value of the counter. It returns false if a part was read before a move and the
// total item after it, or the other way round.
func (c *Counters) sum(r *reading) (total int64, ok bool, err error) {
	total = r.state.base
	for _, p := range c.parts(&r.state) {
		n, ok, err := c.partValue(&r.state, p, *r.parts[p])
		if err != nil || !ok {
			return 0, false, err
		}
		if total, err = sum(total, n); err != nil {
			return 0, false, err
		}
	}
	return total, true, nil
}
