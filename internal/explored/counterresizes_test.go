package explored_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/internal/spread"
	"github.com/trestledb/trestle/shard"
)

// counterReopen: a growth that opens a closed shard again, beside a shrink and an increment with an
// old number of shards.
var counterReopen = counter("counter: reopen, shrink", vast, shard.Config{Mode: shard.Approximate, Shards: 2}, closedShard, func(c *counting) {
	c.adds("bob")
	c.do("carol", resize(2))
	c.do("dave", resize(1))
})

// counterReopens: two growths open closed shards again.
var counterReopens = counter("counter: reopen, reopen", heavy, shard.Config{Mode: shard.Approximate, Shards: 2}, closedShards, func(c *counting) {
	c.do("carol", func(ctx context.Context, votes *shard.Counters) { resize(2)(atMost(ctx, 4), votes) })
	c.do("dave", func(ctx context.Context, votes *shard.Counters) { resize(3)(atMost(ctx, 5), votes) })
})

// counterGrowths: two growths, and an increment of a shard that only the larger one has.
var counterGrowths = counter("counter: two growths", heavy, shard.Config{Mode: shard.ExactForever, Shards: 2}, inTwoShards, func(c *counting) {
	c.adds(keyOfFour(3))
	c.do("carol", func(ctx context.Context, votes *shard.Counters) { resize(3)(atMost(ctx, 2), votes) })
	c.do("dave", func(ctx context.Context, votes *shard.Counters) { resize(4)(atMost(ctx, 2), votes) })
})

// keyOfFour returns a key whose shard has the number, of four.
func keyOfFour(number uint64) string {
	for i := 0; ; i++ {
		if key := fmt.Sprint("alice", i); spread.Of(key)%4 == number {
			return key
		}
	}
}

// counterThrottled: an increment is throttled, so the counter grows, while another one is applied.
var counterThrottled = func() protocol {
	p := counter("counter: a throttled increment", medium, shard.Config{Mode: shard.ExactForever, Shards: 2, MaxShards: 4}, inTwoShards, func(c *counting) {
		c.adds("alice", keyOfFour(3))
	})
	p.extra = explore.Throttle
	return p
}()

// closedShard stores increments in two shards and closes the second one.
func closedShard(ctx context.Context, votes *shard.Counters) error {
	if err := inTwoShards(ctx, votes); err != nil {
		return err
	}
	return votes.Resize(ctx, "a", 1)
}

// closedShards stores increments in two shards and closes the second one, and an empty third one.
func closedShards(ctx context.Context, votes *shard.Counters) error {
	err := inTwoShards(ctx, votes)
	for _, n := range []int{3, 1} {
		if err == nil {
			err = votes.Resize(ctx, "a", n)
		}
	}
	return err
}

// counterTorn: a shrink reads the shards and the total item at different moments. Meanwhile another
// program opens the closed shard again. An earlier shrink has crashed, so readers read this shard.
var counterTorn = torn(counter("counter: a shrink that crashed late, shrink, reopen", heavy, shard.Config{Mode: shard.ExactForever, Shards: 2}, closedShard, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { resize(1)(atMost(ctx, 4), votes) })
	c.do("bob", func(ctx context.Context, votes *shard.Counters) { resize(2)(atMost(ctx, 3), votes) })
})).with(setTotal("max", numeral(2)))

// counterLate: an earlier shrink has crashed, so readers read a closed shard. One program lowers the
// number for readers, and another one raises it.
var counterLate = counter("counter: a shrink that crashed late, shrink, grow", medium, shard.Config{Mode: shard.ExactForever, Shards: 2}, closedShard, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { resize(1)(atMost(ctx, 4), votes) })
	c.do("bob", func(ctx context.Context, votes *shard.Counters) { resize(3)(atMost(ctx, 4), votes) })
}).with(setTotal("max", numeral(2)))

// counterHalf: a shrink has crashed, so one program closes the second shard, and another one grows
// the counter.
var counterHalf = counter("counter: a shrink that crashed, shrink, grow", medium, shard.Config{Mode: shard.ExactForever, Shards: 2}, inTwoShards, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { resize(1)(atMost(ctx, 4), votes) })
	c.do("bob", func(ctx context.Context, votes *shard.Counters) { resize(2)(atMost(ctx, 4), votes) })
}).with(setTotal("shards", numeral(1)))

// counterMovers: a shrink and Drain read the shards and the total item at different moments.
var counterMovers = torn(counter("counter: a shrink that crashed, shrink, drain", heavy, shard.Config{Mode: shard.ExactForever, Shards: 2}, inTwoShards, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { resize(1)(atMost(ctx, 4), votes) })
	c.do("bob", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 4), votes) })
})).with(setTotal("shards", numeral(1)))

// setTotal changes an attribute of the total item.
func setTotal(attribute string, value types.AttributeValue) func(testing.TB, *ddbtest.DB) {
	return func(t testing.TB, db *ddbtest.DB) {
		for _, item := range db.Dump(tableName) {
			if item["max"] != nil {
				item[attribute] = value
				db.Load(t, tableName, item)
			}
		}
	}
}

func numeral(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

// with returns the protocol with changed items.
func (p protocol) with(change func(testing.TB, *ddbtest.DB)) protocol {
	p.change = change
	return p
}
