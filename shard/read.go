package shard

import (
	"cmp"
	"context"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// reading is a counter that is read: its total item and its shards.
type reading struct {
	of     counter
	total  op.Item
	shards []op.Item // nil: there is no such item
	state  state
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

// shardTargets returns the shards that are not read yet, below n, as targets.
func (c *Counters) shardTargets(r *reading, n int) (list []target, err error) {
	before := len(r.shards)
	r.shards = append(r.shards, make([]op.Item, max(0, n-before))...)
	for i := before; i < n; i++ {
		key, err := c.layout.shardKey(r.of, i)
		if err != nil {
			return nil, err
		}
		list = append(list, target{key, &r.shards[i]})
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

// readAll reads counters: their total items with as many shards as are known, and then the other
// shards.
func (c *Counters) readAll(ctx context.Context, operation string, list []*reading) error {
	var first []target
	for _, r := range list {
		r.total, r.shards = nil, nil
		shards, err := c.shardTargets(r, c.known(r.of))
		if err != nil {
			return c.failed(operation, err)
		}
		total, err := c.totalTarget(r)
		if err != nil {
			return c.failed(operation, err)
		}
		first = append(append(first, total), shards...)
	}
	if err := c.batchGet(ctx, operation, first, true); err != nil {
		return err
	}
	return c.readRest(ctx, operation, list)
}

// known returns the number of shards that a reader reads first.
func (c *Counters) known(of counter) int {
	return cmp.Or(c.cache.known(of).max, c.config.Shards)
}

// readRest decodes the total items, and reads the shards that are not read yet.
func (c *Counters) readRest(ctx context.Context, operation string, list []*reading) (err error) {
	var rest []target
	for _, r := range list {
		if r.state, err = c.decode(operation, r.total); err != nil {
			return err
		}
		if r.state.stored {
			c.cache.put(r.of, r.state, time.Now())
		}
		more, err := c.shardTargets(r, r.state.max)
		if err != nil {
			return c.failed(operation, err)
		}
		rest = append(rest, more...)
	}
	return c.batchGet(ctx, operation, rest, true)
}

// sum returns the value of the counter. It returns false if a shard was read before a move and the
// total item after it, or the other way round.
func (c *Counters) sum(r *reading) (total int64, ok bool, err error) {
	total = r.state.base
	for i := range r.state.max {
		n, moves, err := c.shardValue(r.shards[i])
		if err != nil {
			return 0, false, err
		}
		if moves != r.state.moved[i] {
			return 0, false, nil
		}
		if total, err = sum(total, n); err != nil {
			return 0, false, err
		}
	}
	return total, true, nil
}

// shardValue returns the value of a shard, and the number of its moves. A missing shard has the
// value 0.
func (c *Counters) shardValue(item op.Item) (n, moves int64, err error) {
	if item == nil {
		return 0, 0, nil
	}
	if n, err = required(item, c.layout.value); err != nil {
		return 0, 0, err
	}
	moves, err = numberIn(item, attrMoves)
	return n, moves, err
}
