package explored_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/spread"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// fast has a clock that is an hour ahead: for it, every lease of another client has expired.
var fast = entity.NewSchema(entity.Config{Clock: func() time.Time { return time.Now().Add(time.Hour) }})

// sale is the sale of seats by several clients.
type sale struct {
	*protocolRun
	config shard.BoundedConfig
	takes  []*purchase
	refund bool // seats are returned, or the limit changes: a buyer may be refused before that
}

// purchase is a take of a client.
type purchase struct {
	key     string
	n       int
	outcome trestle.Outcome
	refused bool // fewer seats are left
}

// client declares a client of the seats.
func (s *sale) client(name string, of *entity.Schema, f func(ctx context.Context, table *entity.Table, seats *shard.Bounded)) {
	s.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		table, err := of.Open(c, tableName, entity.Random(source(name)))
		if err != nil {
			s.w.Errorf("%v", err)
			return
		}
		f(ctx, table, shard.NewBounded(table, "seats", s.config))
	}, s.options...)
}

// buy declares a client that takes seats. If the outcome is unknown, it repeats the take.
func (s *sale) buy(name string, of *entity.Schema, key string, n int) {
	p := &purchase{key: key, n: n}
	s.takes = append(s.takes, p)
	s.client(name, of, func(ctx context.Context, _ *entity.Table, seats *shard.Bounded) {
		p.end(seats.Take(ctx, "hall", int64(n), shard.Once(key)))
		if p.outcome == trestle.Unknown {
			p.end(seats.Take(ctx, "hall", int64(n), shard.Once(key)))
			if p.outcome != trestle.Applied {
				p.outcome = trestle.Unknown // the first request can still arrive
			}
		}
	})
}

func (p *purchase) end(err error) {
	p.outcome, p.refused = trestle.OutcomeOf(err), errors.Is(err, trestle.ErrCondition)
}

// keyOf returns a key whose shard has the number, of two.
func keyOf(number uint64, name string) string {
	for i := 0; ; i++ {
		if key := fmt.Sprint(name, i); spread.Of(key)%2 == number {
			return key
		}
	}
}

// hall is the content of the items of the seats.
type hall struct {
	limit, free, taken, marked int
	most                       int // the largest quota of a shard
	markers                    map[string]bool
}

// hallOf decodes the seats, and checks what always holds: the quota of all items is the limit, none
// is negative, and the markers are what was taken.
func hallOf(db *ddbtest.DB) (hall, error) {
	h := hall{markers: map[string]bool{}}
	for _, i := range db.Dump(tableName) {
		number := func(name string) int {
			av, _ := i[name].(*types.AttributeValueMemberN)
			if av == nil {
				return 0
			}
			n, _ := strconv.Atoi(av.Value) // it is a number
			return n
		}
		switch free := number("free"); typeName(i) {
		case "$U#limit":
			h.limit += number("limit")
			h.free += free
			h.taken += number("taken")
			if i["limit"] == nil {
				h.most = max(h.most, free)
			}
			if free < 0 || number("taken") < 0 {
				return h, fmt.Errorf("an item has %d free and %d taken seats", free, number("taken"))
			}
		case "$U#taken":
			key := i["PK"].(*types.AttributeValueMemberS).Value
			h.markers[key[len("$U#taken#seats#hall#"):]] = true
			if i["returned"] == nil {
				h.marked += number("n")
			}
		}
	}
	if h.free+h.taken != h.limit || h.taken != h.marked || h.taken > h.limit {
		return h, fmt.Errorf("of %d seats, %d are free, %d taken, and %d have markers", h.limit, h.free, h.taken, h.marked)
	}
	return h, nil
}

// check declares the invariants of a sale.
func (s *sale) check() {
	s.w.Always(func(db *ddbtest.DB) error { _, err := hallOf(db); return err })
	s.w.Finally(func(db *ddbtest.DB) error {
		h, err := hallOf(db)
		if err != nil {
			return err
		}
		for _, p := range s.takes {
			marked := h.markers[p.key]
			switch {
			case p.outcome == trestle.Applied && !marked, p.outcome == trestle.NotApplied && marked:
				return fmt.Errorf("%s: outcome %v, marker %t", p.key, p.outcome, marked)
			case p.refused && !s.refund && h.limit-h.taken >= p.n:
				return fmt.Errorf("%s was refused, but %d of %d seats are taken", p.key, h.taken, h.limit)
			}
		}
		return nil
	})
}

// limited returns a fill that sets the limit, and takes with keys of shards.
func limited(limit int64, c shard.BoundedConfig, keys ...string) func(context.Context, *entity.Table) error {
	return func(ctx context.Context, table *entity.Table) error {
		seats := shard.NewBounded(table, "seats", c)
		err := seats.SetLimit(ctx, "hall", limit)
		for _, key := range keys {
			err = errors.Join(err, seats.Take(ctx, "hall", 1, shard.Once(key)))
		}
		return err
	}
}

var twoShards = shard.BoundedConfig{Shards: 2, Grant: 2}

// lastSeat: two buyers of different shards, and one seat, which is in the pool.
var lastSeat = protocol{
	name: "limit: the last seat", weight: medium, fill: limited(1, twoShards),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards}
		s.buy("alice", schema, keyOf(0, "a"), 1)
		s.buy("bob", schema, keyOf(1, "b"), 1)
		s.check()
	},
}

// leasedSeat: the last seat is in a shard. For bob, the lease of the shard has expired.
var leasedSeat = protocol{
	name: "limit: the last seat is leased", weight: heavy, fill: limited(2, twoShards, keyOf(0, "x")),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards}
		s.buy("alice", schema, keyOf(0, "a"), 1)
		s.buy("bob", fast, keyOf(1, "b"), 1)
		s.check()
	},
}

// sameShard: two buyers of one shard do not lease more than a grant.
var sameShard = protocol{
	name: "limit: buyers of one shard", weight: medium, fill: limited(9, twoShards),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards}
		s.buy("alice", schema, keyOf(0, "a"), 1)
		s.buy("bob", schema, keyOf(0, "b"), 1)
		s.check()
		r.w.Always(func(db *ddbtest.DB) error {
			h, err := hallOf(db)
			if err == nil && h.most >= 2 {
				err = fmt.Errorf("a shard has %d seats", h.most)
			}
			return err
		})
	},
}

// pieces: alice takes two seats, which are in two shards, or bob one of them.
var pieces = protocol{
	name: "limit: seats in two shards", weight: medium, fill: limited(4, twoShards, keyOf(0, "x"), keyOf(1, "y")),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards}
		s.buy("alice", schema, keyOf(0, "a"), 2)
		s.buy("bob", schema, keyOf(1, "b"), 1)
		s.check()
	},
}

// returned: a seat is returned twice, while bob takes it.
var returned = protocol{
	name: "limit: return, take", weight: heavy, fill: limited(1, twoShards, keyOf(0, "x")),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards, refund: true}
		for _, name := range []string{"alice", "carol"} {
			s.client(name, schema, func(ctx context.Context, _ *entity.Table, seats *shard.Bounded) {
				if err := seats.Return(ctx, "hall", keyOf(0, "x")); trestle.OutcomeOf(err) == trestle.NotApplied {
					r.w.Errorf("the seat is not returned: %v", err)
				}
			})
		}
		s.buy("bob", schema, keyOf(0, "b"), 1)
		s.check()
	},
}

// limits: alice lowers the limit, raises it and lowers it again, while bob takes a seat.
var limits = protocol{
	name: "limit: set, take", weight: heavy, fill: limited(3, twoShards, keyOf(0, "x")),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards, refund: true}
		last := int64(3)
		s.client("alice", schema, func(ctx context.Context, _ *entity.Table, seats *shard.Bounded) {
			for _, n := range []int64{1, 3} {
				last = -1 // not known
				if err := seats.SetLimit(ctx, "hall", n); err == nil {
					last = n
				}
			}
		})
		s.buy("bob", schema, keyOf(1, "b"), 1)
		s.check()
		r.w.Finally(func(db *ddbtest.DB) error {
			h, err := hallOf(db)
			if err == nil && last >= 0 && h.limit != int(last) {
				err = fmt.Errorf("the limit is %d, not %d", h.limit, last)
			}
			return err
		})
	},
}

// newLimit: two programs create the counter.
var newLimit = protocol{
	name: "limit: create", weight: light,
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards, refund: true}
		for i, name := range []string{"alice", "carol"} {
			s.client(name, schema, func(ctx context.Context, _ *entity.Table, seats *shard.Bounded) {
				_ = seats.SetLimit(ctx, "hall", int64(i+1))
			})
		}
		s.check()
	},
}

// together: a seat is taken in a transaction with another item.
var together = protocol{
	name: "limit: transaction", weight: medium, fill: limited(2, twoShards, keyOf(0, "x")),
	clients: func(r *protocolRun) {
		s := &sale{protocolRun: r, config: twoShards}
		s.client("alice", schema, func(ctx context.Context, table *entity.Table, seats *shard.Bounded) {
			_ = tx.Write(ctx, purses.In(table).Op().Put(&purse{ID: "a"}), seats.Op("hall", 1, shard.Once(keyOf(1, "a"))))
		})
		s.buy("bob", fast, keyOf(0, "b"), 1)
		s.check()
		r.w.Always(func(db *ddbtest.DB) error {
			list, err := items(db, purses)
			if err != nil {
				return err
			}
			h, err := hallOf(db)
			if err == nil && h.markers[keyOf(1, "a")] != (len(list) == 1) {
				err = fmt.Errorf("%d purses, markers %v", len(list), h.markers)
			}
			return err
		})
	},
}

// A lease expires while requests wait: its quota returns to the pool, and is taken once. The lease
// is shorter than the timeout of an attempt, so that no request is given up meanwhile.
func TestLeaseExpires(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("the search itself has no concurrency, and is slow under the race detector")
	}
	config := shard.BoundedConfig{Shards: 2, Grant: 2, Lease: time.Second}
	p := protocol{
		fill: limited(2, config, keyOf(0, "x")),
		clients: func(r *protocolRun) {
			s := &sale{protocolRun: r, config: config}
			s.buy("alice", schema, keyOf(0, "a"), 1)
			s.buy("bob", schema, keyOf(1, "b"), 1)
			s.check()
		},
	}
	requireProof(t, p.search(t, explore.Options{Faults: explore.Faults{explore.Pause: 1}, Pauses: []time.Duration{2 * time.Second}}))
}
