package explored_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// counterCreate: the first increments of a counter, by programs with different numbers of shards.
var counterCreate = counter("counter: create", medium, shard.Config{Shards: 2}, nil, func(c *counting) {
	c.adds("alice")
	c.config.Shards = 3
	c.adds("bob")
})

// counterEvents: two programs store the same event, and one rolls the counter up.
var counterEvents = counter("counter, events: roll-up", heavy, shard.Config{Mode: shard.Events, Shards: 2}, nil, func(c *counting) {
	one := c.ledger.open("the event")
	for _, name := range []string{"alice", "bob"} {
		c.do(name, func(ctx context.Context, votes *shard.Counters) {
			err := c.add(ctx, votes, one)
			if err != nil {
				err = c.add(ctx, votes, one)
			}
			if err == nil {
				one.end(nil)
			}
			if name == "bob" {
				_, _ = votes.RollUp(ctx, "a")
			}
		})
	}
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

// counterWriters: a Writer flushes twice beside Drain, which takes it for idle.
var counterWriters = writers("counter, writer owned: two flushes, drain", medium, map[string]int{"alice": 2})

// counterTwoWriters: two Writers flush beside Drain.
var counterTwoWriters = writers("counter, writer owned: two Writers, drain", huge, map[string]int{"alice": 1, "bob": 1})

// writers returns a protocol of Writers with so many flushes, beside Drain.
func writers(name string, w weight, flushes map[string]int) protocol {
	p := counter(name, w, shard.Config{Mode: shard.WriterOwned}, nil, func(c *counting) {
		for _, name := range slices.Sorted(maps.Keys(flushes)) {
			c.flushes(name, flushes[name])
		}
		c.doAhead("carol", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 4), votes) })
	})
	p.fill = func(ctx context.Context, table *entity.Table) error {
		return shard.NewCounters(table, "votes", shard.Config{}).Resize(ctx, "a", 1)
	}
	return p
}

// flushes declares a client with a Writer, which repeats a flush that failed.
func (c *counting) flushes(name string, n int) {
	var calls []*call
	for i := range n {
		calls = append(calls, c.ledger.open(fmt.Sprint(name, i+1)))
	}
	c.do(name, func(ctx context.Context, votes *shard.Counters) {
		w := votes.Writer()
		for i, call := range calls {
			_ = w.Add("a", call.amount)
			err := w.Flush(ctx)
			if err != nil {
				err = w.Flush(ctx)
			}
			if err == nil {
				for _, call := range calls[:i+1] {
					call.end(nil)
				}
			}
		}
	})
}

// counterReopen: a growth that opens a closed shard again, beside a shrink and an increment with an
// old number of shards.
var counterReopen = counter("counter: reopen, shrink", huge, shard.Config{Mode: shard.Approximate, Shards: 2}, closedShard, func(c *counting) {
	c.adds("bob")
	c.do("carol", resize(2))
	c.do("dave", resize(1))
})

// counterTorn: a shrink reads the shards and the total item at different moments. Meanwhile another
// program opens the closed shard again. A growth has crashed before, so readers read this shard.
var counterTorn = torn(counter("counter: a growth that crashed, grow, shrink", light, shard.Config{Mode: shard.ExactForever, Shards: 2}, closedShard, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { resize(1)(atMost(ctx, 4), votes) })
	c.do("bob", func(ctx context.Context, votes *shard.Counters) { resize(2)(atMost(ctx, 3), votes) })
}), func(t testing.TB, db *ddbtest.DB) {
	for _, item := range db.Dump(tableName) {
		if item["max"] != nil {
			item["max"] = &types.AttributeValueMemberN{Value: "2"}
			db.Load(t, tableName, item)
		}
	}
})

// counterDrains: two programs drain the counter. Then a program that does not know of the second
// shard reads it, the total item before the shard.
var counterDrains = torn(counter("counter: two drains, reader", huge, shard.Config{Mode: shard.ExactForever, Shards: 2}, inTwoShards, func(c *counting) {
	c.do("alice", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 4), votes) })
	c.w.Client("bob", func(ctx context.Context, client *dynamodb.Client) {
		drain(atMost(ctx, 3), c.open(client, "bob", 0))
		reader := &counting{config: shard.Config{Shards: 1}}
		if n, err := reader.open(client, "bob reads", 0).Total(ctx, "a"); err == nil && n != 11 {
			c.w.Errorf("the total is %d, not 11", n)
		}
	}, c.options...)
}), nil)

// torn returns a protocol whose batches are read at different moments: a part is left unprocessed,
// and others go on while the reader pauses.
func torn(p protocol, change func(testing.TB, *ddbtest.DB)) protocol {
	p.batch, p.backoff, p.change = true, 3*time.Second, change
	return p
}

// told is what a reader was told.
type told struct {
	total int64
	err   error
}

// counterReader: a reader beside increments and Drain. The total has each increment that ended
// before, and none that began after it.
var counterReader = counter("counter: drain, reader", huge, shard.Config{Mode: shard.Approximate, Shards: 2}, inTwoShards, func(c *counting) {
	c.history = c.w.History()
	c.adds("bob")
	c.do("carol", drain)
	c.config.Shards = 1
	c.do("dave", func(ctx context.Context, votes *shard.Counters) {
		c.history.Call(ctx, "total", func() any {
			n, err := votes.Total(ctx, "a")
			return told{n, err}
		})
	})
	c.w.Finally(c.checkTotals)
})

// checkTotals checks what readers were told.
func (c *counting) checkTotals(*ddbtest.DB) error {
	list := c.history.Operations()
	for _, total := range list {
		t, ok := total.Output.(told)
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
