package explored_test

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/shard"
)

// counterReader: a reader beside an increment and Drain.
var counterReader = read("counter: drain, reader", drain)

// counterShrinkReader: a reader beside an increment and a shrink.
var counterShrinkReader = read("counter: shrink, reader", resize(1))

// read returns a protocol of a reader beside an increment and another client.
func read(name string, f func(context.Context, *shard.Counters)) protocol {
	return counter(name, vast, shard.Config{Mode: shard.Approximate, Shards: 2}, inTwoShards, func(c *counting) {
		c.history = c.w.History()
		c.adds("bob")
		c.do("carol", f)
		c.reads()
	})
}

// reads declares a client that reads the total, and does not know the number of shards. The total
// has each increment that ended before, and none that began after it.
func (c *counting) reads() {
	if c.history == nil {
		c.history = c.w.History()
	}
	c.config.Shards = 1
	c.do("dave", func(ctx context.Context, votes *shard.Counters) {
		c.history.Call(ctx, "total", func() any {
			n, err := votes.Total(ctx, "a")
			return answer{n, err}
		})
	})
	c.w.Finally(c.checkTotals)
}

// answer is the result of a reader.
type answer struct {
	total int64
	err   error
}

// checkTotals checks the results of the readers.
func (c *counting) checkTotals(*ddbtest.DB) error {
	list := c.history.Operations()
	for _, total := range list {
		t, ok := total.Output.(answer)
		if !ok || t.err != nil {
			continue
		}
		if t.total < 0 || t.total >= 10*c.ledger.calls[len(c.ledger.calls)-1].amount {
			return fmt.Errorf("the total is %d", t.total)
		}
		for _, add := range list {
			call, ok := add.Input.(*call)
			if !ok {
				continue
			}
			times := t.total / call.amount % 10
			ended := add.Returned() && add.Return < total.Call && add.Output == trestle.Applied
			if times > 1 || ended && times == 0 || add.Call > total.Return && times > 0 {
				return fmt.Errorf("the total %d has %d times the increment %s", t.total, times, call.name)
			}
		}
	}
	return nil
}

// counterDrains: two programs drain the counter. Then a program that does not know of the second
// shard reads it, the total item before the shard.
var counterDrains = torn(counter("counter: two drains, reader", vast, shard.Config{Mode: shard.ExactForever, Shards: 2}, inTwoShards, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 4), votes) })
	c.w.Client("bob", func(ctx context.Context, client *dynamodb.Client) {
		drain(atMost(ctx, 3), c.open(client, "bob", schema))
		reader := &counting{config: shard.Config{Shards: 1}}
		if n, err := reader.open(client, "bob reads", schema).Total(ctx, "a"); err == nil && n != 11 {
			c.w.Errorf("the total is %d, not 11", n)
		}
	}, c.options...)
}))

// torn returns a protocol whose batches are read at different moments: a part is left unprocessed,
// and others go on while the reader pauses.
func torn(p protocol) protocol {
	p.extra, p.backoff = explore.Unprocessed, 3*time.Second
	return p
}
