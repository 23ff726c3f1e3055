package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/errs"
)

// Drain moves the values of all shards to the total item, rolls the counter up as [Counters.RollUp]
// does, and returns its total, also if the roll-up of another program is newer. Readers and
// increments continue meanwhile: no value is lost or counted twice, also if Drain fails, or if
// several programs drain at the same time. To drain is not needed to count or to read; it lets the
// shards start again at 0.
//
// A transaction moves the values of at most 99 shards. An increment of one of them at the same time
// is a conflict, after which Drain tries again, with fewer shards.
//
// It costs as much as RollUp, a read unit for each shard, and 2 write units for each shard that is
// not 0 and for each transaction. Errors: [trestle.ErrInvalid] with Regions, with MultiRegionStrong
// and in mode Events. After any other error, call Drain again.
func (c *Counters) Drain(ctx context.Context, name string) (int64, error) {
	if err := c.canMove(opDrain, name); err != nil {
		return 0, err
	}
	of := c.own(name)
	if _, err := c.load(ctx, opDrain, of, true); err != nil {
		return 0, err
	}
	list := c.pendingOnce(of)
	if c.config.Mode == WriterOwned {
		list = c.idleWriters(of)
	}
	m := &mover{Counters: c, operation: opDrain, of: of, list: list}
	if _, err := m.run(ctx); err != nil {
		return 0, err
	}
	total, _, err := c.rollUp(ctx, name)
	return total, err
}

// pendingOnce returns a function that returns the moves of all shards with a value that were not
// moved since its first call.
func (c *Counters) pendingOnce(of counter) func(*reading) ([]move, error) {
	before := map[int]int64{} // the moves of the shards when they were read first
	return func(r *reading) (list []move, err error) {
		for i := range r.state.max {
			value, moves, err := c.shardValue(*r.parts[part{shard: i}])
			if err != nil {
				return nil, err
			}
			if _, known := before[i]; !known {
				before[i] = moves
			}
			if value == 0 || moves != before[i] {
				continue
			}
			next, err := c.shardMove(of, i, value, moves, false)
			if err != nil {
				return nil, err
			}
			list = append(list, next)
		}
		return list, nil
	}
}

// canMove reports why the values of shards cannot be moved.
func (c *Counters) canMove(operation, name string) error {
	if err := c.ready(operation, name); err != nil {
		return err
	}
	if c.config.Mode == Events {
		return c.failed(operation, errs.New("", "events are not moved", "use RollUp"))
	}
	return c.needsTransactions(operation)
}
