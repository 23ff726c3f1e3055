package explored_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/shard"
)

// repeated returns a protocol of an increment that another program repeats with the same key,
// beside another client. It counts once, and the repetition succeeds if the first attempt did.
func repeated(what string, mode shard.Mode, w weight, f func(context.Context, *shard.Counters)) protocol {
	return counter("counter, "+mode.String()+": an increment twice, "+what, w, shard.Config{Mode: mode, Shards: 2}, inTwoShards, func(c *counting) {
		call := c.ledger.open("bob")
		c.w.Client("bob", func(ctx context.Context, client *dynamodb.Client) {
			call.end(c.add(ctx, c.open(client, "bob", schema), "bob", call))
			first := call.outcome
			err := c.add(ctx, c.open(client, "bob again", schema), "bob", call)
			if first == trestle.Applied && err != nil && ctx.Err() == nil {
				c.w.Errorf("the repetition: %v", err)
			}
			if err == nil {
				call.end(nil)
			}
		}, c.options...)
		c.do("carol", f)
	})
}

// counterTwoNumbers: two programs add different numbers with one key. One of them fails, because
// the key was used.
var counterTwoNumbers = twoNumbers("counter, exact forever: two numbers of a key", light, shard.ExactForever, func(context.Context, *shard.Counters) {})

// counterEvents: two programs store different events with one key, and roll the counter up.
var counterEvents = twoNumbers("counter, events: two numbers of a key, roll-up", heavy, shard.Events, rollUp)

func twoNumbers(name string, w weight, mode shard.Mode, then func(context.Context, *shard.Counters)) protocol {
	return counter(name, w, shard.Config{Mode: mode, Shards: 2}, nil, func(c *counting) {
		for _, name := range []string{"alice", "bob"} {
			call := c.ledger.open(name)
			c.do(name, func(ctx context.Context, votes *shard.Counters) {
				call.end(c.add(ctx, votes, "one", call))
				then(ctx, votes)
			})
		}
		c.w.Always(func(db *ddbtest.DB) error {
			if n := readCounter(db, mode).value(); n > 10 {
				return fmt.Errorf("the value is %d", n)
			}
			return nil
		})
	})
}
