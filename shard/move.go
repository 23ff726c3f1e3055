package shard

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// move is the move of the value of a shard to the total item.
type move struct {
	shard int
	value int64 // that was read; what was added since stays in the shard
	moves int64 // of the shard before
}

// mover moves the values of shards to the total item.
type mover struct {
	*Counters
	operation string
	of        counter
	closes    bool // and closes the shards
	// pending returns whether the value of a shard is to be moved. It returns an error if the mover
	// must stop.
	pending func(s *state, i int, stored op.Item, m move) (bool, error)
}

// run moves the values until none is pending. It returns the last state. Another program that moves
// values or resizes the counter at the same time makes it read again.
func (m *mover) run(ctx context.Context) (state, error) {
	size := maxTogether
	for try := 1; ; {
		r := &reading{of: m.of}
		if err := m.readAll(ctx, m.operation, []*reading{r}); err != nil {
			return state{}, err
		}
		list, err := m.list(r)
		if err != nil || len(list) == 0 {
			return r.state, m.failed(m.operation, err)
		}
		progress, err := m.moveAll(ctx, &r.state, list, size)
		if progress {
			try = 1
		}
		switch {
		case err == nil:
			continue
		case try == maxTries || !contended(err):
			return r.state, err
		}
		if err := m.pause(ctx, m.operation, try); err != nil {
			return r.state, err
		}
		// Each increment of a shard is a conflict with the transaction, so a smaller one is more
		// likely to succeed.
		try, size = try+1, max(1, size/4)
	}
}

// list returns the pending moves.
func (m *mover) list(r *reading) (list []move, err error) {
	for i := range r.state.max {
		value, moves, err := m.shardValue(r.shards[i])
		if err != nil {
			return nil, err
		}
		next := move{i, value, moves}
		pending, err := m.pending(&r.state, i, r.shards[i], next)
		if err != nil {
			return nil, err
		}
		if pending {
			list = append(list, next)
		}
	}
	return list, nil
}

// moveAll sends the moves, in transactions of at most size shards. It reports whether it moved any.
func (m *mover) moveAll(ctx context.Context, s *state, list []move, size int) (progress bool, err error) {
	for chunk := range slices.Chunk(list, size) {
		actions, err := m.actions(s, chunk)
		if err != nil {
			return progress, m.failed(m.operation, err)
		}
		if _, err := m.do(ctx, m.operation, actions, ""); err != nil {
			return progress, err
		}
		s.epoch++
		progress = true
	}
	return progress, nil
}

// actions returns the transaction of moves. Its conditions hold at most once, so a request that
// arrives late moves nothing.
func (m *mover) actions(s *state, list []move) ([]op.Action, error) {
	total, err := m.nextState(m.of, s)
	if err != nil {
		return nil, err
	}
	moved := int64(0)
	actions := make([]op.Action, 1, 1+len(list))
	for _, next := range list {
		if moved, err = sum(moved, next.value); err != nil {
			return nil, err
		}
		total.sets = append(total.sets, total.name(attrMoved)+"."+total.name(strconv.Itoa(next.shard))+" = "+total.value(number(next.moves+1)))
		act, err := m.shardAction(next)
		if err != nil {
			return nil, err
		}
		actions = append(actions, act)
	}
	if _, err := sum(s.base, moved); err != nil {
		return nil, err
	}
	total.add(attrBase, number(moved))
	actions[0] = total.action()
	return actions, nil
}

// nextState returns an update of the total item that fails if its epoch has changed, and changes
// it.
func (c *Counters) nextState(of counter, s *state) (*updateBuilder, error) {
	key, err := c.layout.totalKey(of)
	b := newUpdate(key)
	b.set(attrEpoch, number(s.epoch+1))
	b.requireEqual(attrEpoch, s.epoch)
	return b, err
}

// shardAction returns the update of the shard of a move.
func (m *mover) shardAction(next move) (op.Action, error) {
	key, err := m.layout.shardKey(m.of, next.shard)
	b := newUpdate(key)
	value := b.name(m.layout.value)
	b.sets = append(b.sets, value+" = if_not_exists("+value+", "+b.value(number(0))+") - "+b.value(number(next.value)))
	b.set(attrMoves, number(next.moves+1))
	if m.closes {
		b.set(attrClosed, &types.AttributeValueMemberBOOL{Value: true})
	}
	m.setType(b, reserved.CountType)
	m.setUpdated(b)
	b.requireEqual(attrMoves, next.moves)
	return b.action(), err
}

// contended reports whether a write failed because of what other programs do at the same time, or
// whether its reply was lost. The total item then shows what is to be done.
func contended(err error) bool {
	var failed *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	return trestle.OutcomeOf(err) == trestle.Unknown || errors.As(err, &failed) || errors.As(err, &canceled)
}
