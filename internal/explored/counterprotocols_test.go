package explored_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/shard"
)

// counterProtocols returns the protocols of counters.
func counterProtocols() []protocol {
	list := []protocol{
		counterCreate, counterRollUps, counterThrottled, counterTwoNumbers, counterEvents,
		counterReopen, counterReopens, counterGrowths, counterTorn, counterLate, counterHalf, counterMovers,
		counterReader, counterShrinkReader, counterDrains,
		counterWriters, counterTwoWriters, counterTwoFolds, counterWriterReader,
	}
	for mode, w := range map[shard.Mode]struct{ one, two weight }{
		shard.ExactForever: {medium, huge}, shard.ExactWindow: {heavy, vast}, shard.Approximate: {heavy, vast},
	} {
		list = append(list,
			beside("drain", mode, w.one, drain, "bob"),
			beside("grow", mode, w.one, resize(3), "bob"),
			beside("shrink", mode, w.one, resize(1), "bob"),
			beside("two increments, roll-up", mode, w.two, rollUp, "alice", "bob"),
			beside("two increments, drain", mode, w.two, drain, "alice", "bob"),
			beside("two increments, grow", mode, w.two, resize(3), "alice", "bob"),
			beside("two increments, shrink", mode, w.two, resize(1), "alice", "bob"),
		)
	}
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow} {
		list = append(list,
			repeated("grow", mode, medium, resize(3)),
			repeated("shrink", mode, huge, resize(1)),
		)
	}
	slices.SortStableFunc(list, func(a, b protocol) int { return strings.Compare(a.name, b.name) })
	return list
}

// beside returns a protocol of increments beside another client.
func beside(what string, mode shard.Mode, w weight, f func(context.Context, *shard.Counters), adders ...string) protocol {
	return counter("counter, "+mode.String()+": "+what, w, shard.Config{Mode: mode, Shards: 2}, inTwoShards, func(c *counting) {
		c.adds(adders...)
		c.do("carol", f)
	})
}

func rollUp(ctx context.Context, votes *shard.Counters) { _, _ = votes.RollUp(ctx, "a") }

func drain(ctx context.Context, votes *shard.Counters) { _, _ = votes.Drain(ctx, "a") }

func resize(shards int) func(context.Context, *shard.Counters) {
	return func(ctx context.Context, votes *shard.Counters) { _ = votes.Resize(ctx, "a", shards) }
}

// counterCreate: the first increments of a counter, by programs with different numbers of shards.
var counterCreate = counter("counter: create", medium, shard.Config{Shards: 2}, nil, func(c *counting) {
	c.adds("alice")
	c.config.Shards = 3
	c.adds("bob")
})

// counterRollUps: roll-ups by clocks that differ. The stored time is never earlier than one that a
// roll-up returned.
var counterRollUps = counter("counter: roll-ups", heavy, shard.Config{Mode: shard.Approximate, Shards: 2}, inTwoShards, func(c *counting) {
	var newest int64
	rollUp := func(ctx context.Context, votes *shard.Counters) {
		if r, err := votes.RollUp(ctx, "a"); err == nil {
			newest = max(newest, r.AsOf.UnixNano())
		}
	}
	c.adds("alice")
	c.do("bob", rollUp)
	c.doAhead("carol", rollUp)
	c.w.Finally(func(db *ddbtest.DB) error {
		if s := readCounter(db, c.config.Mode); s.asOf < newest {
			return fmt.Errorf("the roll-up is older by %d ns than one that was returned", newest-s.asOf)
		}
		return nil
	})
})
