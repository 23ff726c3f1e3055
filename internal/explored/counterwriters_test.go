package explored_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// counterWriters: a Writer flushes twice beside Drain, which takes it for idle.
var counterWriters = writers("counter, writer owned: two flushes, drain", medium, map[string]int{"alice": 2}, nil)

// counterTwoWriters: two Writers flush beside Drain.
var counterTwoWriters = writers("counter, writer owned: two Writers, drain", vast, map[string]int{"alice": 1, "bob": 1}, nil)

// counterWriterReader: a reader beside a Writer and Drain.
var counterWriterReader = writers("counter, writer owned: flush, drain, reader", vast, map[string]int{"alice": 1}, (*counting).reads)

// counterTwoFolds: two programs drain the counter beside a Writer.
var counterTwoFolds = writers("counter, writer owned: flush, two drains", vast, map[string]int{"alice": 1}, func(c *counting) {
	c.doAhead("dave", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 3), votes) })
})

// writers returns a protocol of Writers with so many flushes, beside Drain. more may be nil.
func writers(name string, w weight, flushes map[string]int, more func(*counting)) protocol {
	p := counter(name, w, shard.Config{Mode: shard.WriterOwned}, nil, func(c *counting) {
		for _, name := range slices.Sorted(maps.Keys(flushes)) {
			c.flushes(name, flushes[name])
		}
		c.doAhead("carol", func(ctx context.Context, votes *shard.Counters) { drain(atMost(ctx, 4), votes) })
		if more != nil {
			more(c)
		}
	})
	p.fill = func(ctx context.Context, table *entity.Table) error {
		return shard.NewCounters(table, "votes", shard.Config{}).Resize(ctx, "a", 1)
	}
	// No method creates a counter of this mode without a Writer.
	return p.with(setTotal("form", &types.AttributeValueMemberS{Value: "writers"}))
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
			c.call(ctx, call, func() {
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
			})
		}
	})
}
