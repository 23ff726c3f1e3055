package explored_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/shard"
)

// counting is a run of a protocol of the counter "a". The value of the counter is the sum of the
// amounts of the ledger.
type counting struct {
	*protocolRun
	config  shard.Config
	history *explore.History // nil: no totals are checked
}

// counter returns a protocol of a counter that has increments already: those named start0 and
// start1, of the amounts 1 and 10, the second one in the second shard. prepare may be nil: there is
// no counter yet.
func counter(name string, w weight, config shard.Config, prepare func(context.Context, *shard.Counters) error, clients func(*counting)) protocol {
	p := protocol{name: name, weight: w, timed: config.Mode == shard.ExactWindow}
	if prepare != nil {
		p.fill = func(ctx context.Context, table *entity.Table) error {
			return prepare(ctx, shard.NewCounters(table, "votes", shard.Config{Shards: 2}))
		}
	}
	p.clients = func(r *protocolRun) {
		r.options = append(r.options[:len(r.options):len(r.options)], givesUp)
		c := &counting{protocolRun: r, config: config}
		if prepare != nil {
			r.ledger.open("start0").end(nil)
			r.ledger.open("start1").end(nil)
		}
		clients(c)
		r.w.Always(func(db *ddbtest.DB) error { return readCounter(db, config.Mode).check() })
		r.w.Finally(c.check)
	}
	return p
}

// check checks the value, what was rolled up, and that a new program reads the same value.
func (c *counting) check(db *ddbtest.DB) error {
	s := readCounter(db, c.config.Mode)
	value, rolled := s.value(), s.rolled
	if err := errors.Join(c.ledger.checkSum(value), c.ledger.checkPart(rolled)); err != nil {
		return err
	}
	if total, err := c.open(db.Client(), "check", schema).Total(context.Background(), "a"); err != nil || total != value {
		return fmt.Errorf("the total is %d, not %d (%w)", total, value, err)
	}
	return nil
}

// ahead is longer than a Writer is idle before Drain moves its value.
const ahead = 2 * time.Hour

// fastClock is the schema of a program whose clock is ahead.
var fastClock = entity.NewSchema(entity.Config{
	Indexes: []entity.IndexConfig{{Name: "GSI1"}},
	Clock:   func() time.Time { return time.Now().Add(ahead) },
})

// open returns the counters of a new program.
func (c *counting) open(client *dynamodb.Client, name string, of *entity.Schema) *shard.Counters {
	table, err := of.Open(client, tableName, entity.Random(source(name)))
	if err != nil {
		panic(err)
	}
	return shard.NewCounters(table, "votes", c.config)
}

// requests limits the number of requests of a context. A call that needs more gives up.
type requests struct{}

// atMost returns a context of at most so many requests.
func atMost(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, requests{}, &n)
}

// givesUp lets a client respect atMost.
func givesUp(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("gives up", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (out middleware.InitializeOutput, m middleware.Metadata, err error) {
			if left, ok := ctx.Value(requests{}).(*int); ok {
				if *left--; *left < 0 {
					return out, m, context.Canceled
				}
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
}

// do declares a client.
func (c *counting) do(name string, f func(ctx context.Context, votes *shard.Counters)) {
	c.doAs(name, schema, f)
}

// doAhead declares a client whose clock is ahead.
func (c *counting) doAhead(name string, f func(ctx context.Context, votes *shard.Counters)) {
	c.doAs(name, fastClock, f)
}

func (c *counting) doAs(name string, of *entity.Schema, f func(ctx context.Context, votes *shard.Counters)) {
	now := *c // its configuration may change for the clients after this one
	c.w.Client(name, func(ctx context.Context, client *dynamodb.Client) { f(ctx, now.open(client, name, of)) }, c.options...)
}

// adds declares clients with an increment each. In two shards, the key alice has the first one, and
// bob the second one.
func (c *counting) adds(names ...string) {
	for _, name := range names {
		call := c.ledger.open(name)
		c.do(name, func(ctx context.Context, votes *shard.Counters) {
			c.call(ctx, call, func() { call.end(c.add(ctx, votes, name, call)) })
		})
	}
}

// call records a call in the history, if there is one.
func (c *counting) call(ctx context.Context, call *call, f func()) {
	if c.history == nil {
		f()
		return
	}
	c.history.Call(ctx, call, func() any {
		f()
		return call.outcome
	})
}

// add adds the amount of a call, with a key.
func (c *counting) add(ctx context.Context, votes *shard.Counters, key string, call *call) error {
	if c.config.Mode == shard.Approximate {
		return votes.Add(ctx, "a", call.amount)
	}
	return votes.Add(ctx, "a", call.amount, shard.Once(key))
}

// inTwoShards stores increments in two shards.
func inTwoShards(ctx context.Context, votes *shard.Counters) error {
	err := votes.Add(ctx, "a", 1, shard.Once("start0"))
	if err != nil {
		return err
	}
	return votes.Add(ctx, "a", 10, shard.Once("start1"))
}
