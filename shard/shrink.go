package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// shrink takes the steps to a smaller number of shards: increments use the smaller number; the
// upper shards are closed, and their values moved; then readers use the smaller number.
func (r *resizing) shrink(ctx context.Context, s *state) error {
	if err := r.needsTransactions(opResize); err != nil {
		return err
	}
	if s.shards > r.to {
		return r.setShards(ctx, opResize, r.of, s, r.to, false)
	}
	m := &mover{Counters: r.Counters, operation: opResize, of: r.of, list: r.pending}
	now, err := m.run(ctx)
	if err != nil {
		return err
	}
	return r.lower(ctx, &now)
}

// pending returns the moves of the upper shards that are not closed, or have a value. A shard that
// is closed has a value if there were increments between the read and the first move.
func (r *resizing) pending(now *reading) (list []move, err error) {
	if now.state.shards != r.to {
		return nil, errOtherResize
	}
	for i := r.to; i < now.state.max; i++ {
		item := *now.parts[part{shard: i}]
		value, moves, err := r.shardValue(item)
		if err != nil {
			return nil, err
		}
		if item[attrClosed] != nil && value == 0 {
			continue
		}
		next, err := r.shardMove(r.of, i, value, moves, true)
		if err != nil {
			return nil, err
		}
		list = append(list, next)
	}
	return list, nil
}

// lower lowers the number of shards for readers. Each transaction checks that the shards that are
// no longer read are closed and have no value.
func (r *resizing) lower(ctx context.Context, s *state) error {
	for s.max > r.to {
		next := max(r.to, s.max-maxTogether)
		total, err := r.nextState(r.of, s)
		if err != nil {
			return r.failed(opResize, err)
		}
		total.Set(attrMax, libitem.Number(int64(next)))
		actions := []op.Action{total.Action()}
		for i := next; i < s.max; i++ {
			key, err := r.layout.partKey(r.of, part{shard: i})
			if err != nil {
				return r.failed(opResize, err)
			}
			b := libitem.NewUpdate(key)
			b.Require(clause.Attribute(attrClosed, clause.Exists))
			b.RequireEqual(r.layout.value, 0)
			actions = append(actions, b.Action())
		}
		if _, err := r.do(ctx, opResize, actions); err != nil {
			return err
		}
		s.max, s.epoch = next, s.epoch+1
	}
	return nil
}
