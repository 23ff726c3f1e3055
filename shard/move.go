package shard

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// move is the move of the value of a part to the total item.
type move struct {
	value  int64                 // that was read; what was added since stays in the part
	action op.Action             // on the part
	note   func(*libitem.Update) // adds what the total item records of the move
}

// mover moves the values of parts to the total item.
type mover struct {
	*Counters
	operation string
	of        counter
	// list returns the moves that are pending. It returns an error if the mover must stop.
	list func(*reading) ([]move, error)
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

// moveAll sends the moves, in transactions of at most size shards. It reports whether it moved any.
func (m *mover) moveAll(ctx context.Context, s *state, list []move, size int) (progress bool, err error) {
	for chunk := range slices.Chunk(list, size) {
		actions, err := m.actions(s, chunk)
		if err != nil {
			return progress, m.failed(m.operation, err)
		}
		if _, err := m.do(ctx, m.operation, actions); err != nil {
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
		next.note(total)
		actions = append(actions, next.action)
	}
	if s.base, err = sum(s.base, moved); err != nil {
		return nil, err
	}
	total.Add(attrBase, libitem.Number(moved))
	actions[0] = total.Action()
	return actions, nil
}

// nextState returns an update of the total item that fails if its epoch has changed, and changes
// it.
func (c *Counters) nextState(of counter, s *state) (*libitem.Update, error) {
	key, err := c.layout.totalKey(of)
	b := libitem.NewUpdate(key)
	b.Set(attrEpoch, libitem.Number(s.epoch+1))
	b.RequireEqual(attrEpoch, s.epoch)
	return b, err
}

// shardMove returns the move of a value of a shard, and closes the shard if closes is true.
func (c *Counters) shardMove(of counter, shard int, value, moves int64, closes bool) (move, error) {
	key, err := c.layout.partKey(of, part{shard: shard})
	b := libitem.NewUpdate(key)
	b.SetFrom(c.layout.value, 0, libitem.Negative(value))
	b.Set(attrMoves, libitem.Number(moves+1))
	if closes {
		b.Set(attrClosed, &types.AttributeValueMemberBOOL{Value: true})
	}
	c.setOwn(b)
	c.setUpdated(b)
	b.RequireEqual(attrMoves, moves)
	return move{value, b.Action(), func(total *libitem.Update) {
		total.SetIn(attrMoved, strconv.Itoa(shard), libitem.Number(moves+1))
	}}, err
}

// contended reports whether a write failed because of what other programs do at the same time, or
// whether its reply was lost. The total item then shows what is to be done.
func contended(err error) bool {
	var failed *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	return trestle.OutcomeOf(err) == trestle.Unknown || errors.As(err, &failed) || errors.As(err, &canceled)
}
