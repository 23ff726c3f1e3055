package shard

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// grow raises the number of shards. Closed shards are opened again before increments use them, and
// after readers read them. throttled stores when a counter grew by itself.
func (c *Counters) grow(ctx context.Context, operation string, of counter, s *state, to int, throttled bool) error {
	closed, err := c.closedShards(ctx, operation, of, s, to)
	if err != nil {
		return err
	}
	if len(closed) > 0 {
		if err := c.raiseMax(ctx, operation, of, s, to); err != nil {
			return err
		}
		if err := c.reopen(ctx, operation, of, s, closed); err != nil {
			return err
		}
	}
	return c.setShards(ctx, operation, of, s, to, throttled)
}

// closedShards returns the closed ones of the shards that a growth adds. Only a shard whose value
// was moved can be closed.
func (c *Counters) closedShards(ctx context.Context, operation string, of counter, s *state, to int) (closed []int, err error) {
	var moved []int
	for i := range s.moved {
		if i >= s.shards && i < to {
			moved = append(moved, i)
		}
	}
	slices.Sort(moved)
	items := make([]op.Item, len(moved))
	targets := make([]target, len(moved))
	for n, i := range moved {
		key, err := c.layout.partKey(of, part{shard: i})
		if err != nil {
			return nil, c.failed(operation, err)
		}
		targets[n] = target{key, &items[n]}
	}
	if err := c.batchGet(ctx, operation, targets, true); err != nil {
		return nil, err
	}
	for n, i := range moved {
		if items[n][attrClosed] != nil {
			closed = append(closed, i)
		}
	}
	return closed, nil
}

// raiseMax lets readers read as many shards.
func (c *Counters) raiseMax(ctx context.Context, operation string, of counter, s *state, to int) error {
	if s.max >= to {
		return nil
	}
	b, err := c.nextState(of, s)
	if err != nil {
		return c.failed(operation, err)
	}
	b.Set(attrMax, libitem.Number(int64(to)))
	if _, err := c.do(ctx, operation, []op.Action{b.Action()}); err != nil {
		return err
	}
	s.max, s.epoch = to, s.epoch+1
	return nil
}

// reopen opens closed shards again. Each transaction checks that the total item has not changed, so
// that no shard is opened that readers no longer read.
func (c *Counters) reopen(ctx context.Context, operation string, of counter, s *state, closed []int) error {
	if err := c.needsTransactions(operation); err != nil {
		return err
	}
	for chunk := range slices.Chunk(closed, maxTogether) {
		key, err := c.layout.totalKey(of)
		if err != nil {
			return c.failed(operation, err)
		}
		check := libitem.NewUpdate(key)
		check.RequireEqual(attrEpoch, s.epoch)
		actions := []op.Action{check.Action()}
		for _, i := range chunk {
			key, err := c.layout.partKey(of, part{shard: i})
			if err != nil {
				return c.failed(operation, err)
			}
			b := libitem.NewUpdate(key)
			b.Remove(attrClosed)
			actions = append(actions, b.Action())
		}
		if _, err := c.do(ctx, operation, actions); err != nil {
			return err
		}
	}
	return nil
}

// setShards sets the number of shards for increments, and raises that for readers if it is lower.
func (c *Counters) setShards(ctx context.Context, operation string, of counter, s *state, to int, throttled bool) error {
	b, err := c.nextState(of, s)
	if err != nil {
		return c.failed(operation, err)
	}
	now := c.exec.Now().UnixNano()
	b.Set(attrShards, libitem.Number(int64(to)))
	b.Set(attrMax, libitem.Number(int64(max(s.max, to))))
	b.Set(attrPast, s.pastWith(now))
	if throttled {
		b.Set(attrGrown, libitem.Number(now))
	}
	if _, err := c.do(ctx, operation, []op.Action{b.Action()}); err != nil {
		return err
	}
	s.shards, s.max, s.epoch = to, max(s.max, to), s.epoch+1
	c.cache.put(of, *s, time.Now())
	return nil
}

// growAfterThrottling doubles the number of shards of a counter whose shard was throttled, if the
// configuration allows it. It returns the number for the next attempt. A failure has no effect: the
// next throttled increment tries again.
func (c *Counters) growAfterThrottling(ctx context.Context, of counter, shards int) int {
	if c.config.MaxShards == 0 || !c.mayGrow(of) {
		return cmp.Or(c.cache.known(of).shards, shards)
	}
	s, err := c.load(ctx, opGrow, of, true)
	switch since := c.exec.Now().Sub(s.grown).Abs(); {
	case err != nil:
		return shards
	case s.shards > shards, s.shards >= c.config.MaxShards, since < c.config.GrowEvery:
		return s.shards
	}
	if err := c.grow(ctx, opGrow, of, &s, min(2*s.shards, c.config.MaxShards), true); err != nil {
		return shards
	}
	return s.shards
}

// mayGrow reports whether growth may be tried. It returns true for one of several callers at the
// same time.
func (c *Counters) mayGrow(of counter) (may bool) {
	now := time.Now()
	c.cache.change(of, func(e *cached) {
		if may = e.grew.IsZero() || now.Sub(e.grew) >= c.config.GrowEvery; may {
			e.grew = now
		}
	})
	return may
}
