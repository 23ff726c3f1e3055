package shard_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

const (
	seatsInHall = 100
	seatShards  = 16
)

// 1,000 buyers take 100 seats, with faults in a tenth of the requests, and some buyers crash
// between two requests. All seats are sold, and no more.
func TestBounded_buyers(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	hits := 0
	for round := range testsize.Pick(1, 3, 50) {
		synctest.Test(t, func(t *testing.T) {
			s := newStorm(t, seed+uint64(round), 0)
			s.box = openBox(t, s.db.Client(), entity.Config{Clock: s.db.Now, Observer: trestle.ObserverFunc(crashAfter)})
			config := shard.BoundedConfig{Shards: seatShards, Grant: int64(round % 4)}
			require.NoError(t, s.box.bounded(config).SetLimit(t.Context(), "hall", seatsInHall))
			s.fail()
			crashed := s.eachBuyer(buyers(), func(ctx context.Context, buyer int) error {
				return s.purchase(ctx, t, s.box.bounded(config), buyer)
			})
			s.db.ClearFaults()
			s.db.DeliverLate()
			seats := s.box.bounded(config)
			left, err := seats.Left(t.Context(), "hall")
			require.NoError(t, err)
			t.Logf("%d sold, %d buyers crashed, %v", left.Taken, crashed, s.sent)
			require.EqualValues(t, seatsInHall, left.Taken)
			require.Positive(t, crashed)
			require.Positive(t, s.sent["sold out"])
			s.box.requireLeft(t, seats, "hall", seatsInHall, seatsInHall)
			for _, rule := range s.rules {
				hits += rule.Hits()
			}
		})
	}
	// All rules together hit one of seven requests, so a round without a hit is next to impossible.
	// A rule for one of 100 misses all requests of some rounds.
	require.Positive(t, hits)
}

// A counter that reads the sum of its shards, and then adds to one of them if the sum is below the
// limit, sells too many.
func TestBounded_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStorm(t, seed, 0)
		naive := shard.NewCounters(s.box.table, "votes", shard.Config{Shards: seatShards})
		s.fail()
		s.eachBuyer(buyers(), func(ctx context.Context, buyer int) error {
			sold, err := naive.Total(ctx, "hall")
			if err != nil || sold >= seatsInHall {
				return err
			}
			// Another 15 buyers read the sum before this one adds.
			time.Sleep(5 * time.Millisecond) //nolint:forbidigo // it is the time of a bubble: a request takes time on a network
			return naive.Add(ctx, "hall", 1, once(buyer))
		})
		s.db.ClearFaults()
		sold, err := naive.Total(t.Context(), "hall")
		require.NoError(t, err)
		t.Logf("%d of %d seats sold", sold, seatsInHall)
		require.Greater(t, sold, int64(seatsInHall))
	})
}

// buyers returns the number of buyers.
func buyers() int { return testsize.Sequential(300, 1000, 1000) }

// eachBuyer runs buyers at the same time. One of ten crashes: its context ends after some of its
// requests. It returns how many ended so.
func (s *storm) eachBuyer(n int, buy func(ctx context.Context, buyer int) error) int {
	var crashed atomic.Int64
	var buyers sync.WaitGroup
	for i := range n {
		r := rand.New(rand.NewPCG(s.seed, uint64(i)))
		buyers.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if r.IntN(10) == 0 {
				ctx = context.WithValue(ctx, crashKey{}, &crash{after: r.IntN(4), cancel: cancel})
			}
			time.Sleep(time.Duration(r.IntN(100)) * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
			if err := buy(ctx, i); errors.Is(err, context.Canceled) {
				crashed.Add(1)
			}
		})
	}
	buyers.Wait()
	return int(crashed.Load())
}

// crash ends the context of a buyer after some of its requests.
type crash struct {
	after  int
	cancel func()
}

type crashKey struct{}

// crashAfter ends the context of a buyer that crashes, after one of its requests.
func crashAfter(ctx context.Context, _ trestle.Event) {
	if c, _ := ctx.Value(crashKey{}).(*crash); c != nil {
		if c.after--; c.after < 0 {
			c.cancel()
		}
	}
}

// purchase takes a seat with the key of the buyer, until it has one or all are sold.
func (s *storm) purchase(ctx context.Context, t *testing.T, seats *shard.Bounded, buyer int) error {
	for range 100 {
		err := seats.Take(ctx, "hall", 1, once(buyer))
		switch {
		case err == nil:
			s.note("seats")
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, trestle.ErrCondition):
			s.note("sold out")
			return nil
		case errors.Is(err, trestle.ErrUnknown):
			s.note("unknown")
		case errors.Is(err, trestle.ErrStale):
			s.note("stale")
		default:
			s.note("not applied")
		}
	}
	t.Errorf("buyer %d neither has a seat nor is refused", buyer)
	return nil
}

// The limit changes while buyers take and return: the sum stays the limit.
func TestBounded_changes(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStorm(t, seed, 0)
		config := shard.BoundedConfig{Shards: 5, Lease: 20 * time.Millisecond}
		require.NoError(t, s.box.bounded(config).SetLimit(t.Context(), "hall", 50))
		s.fail()
		var clients sync.WaitGroup
		for c := range 8 {
			r := rand.New(rand.NewPCG(s.seed, uint64(c)))
			clients.Go(func() {
				seats := s.box.bounded(config)
				for i := range testsize.Pick(50, 300, 5000) {
					key := fmt.Sprint(c, "-", i)
					switch r.IntN(8) {
					case 0:
						s.noteResult("set limit", seats.SetLimit(t.Context(), "hall", 20+r.Int64N(60)))
					case 1, 2:
						s.noteResult("return", seats.Return(t.Context(), "hall", fmt.Sprint(c, "-", r.IntN(i+1))))
					default:
						s.noteResult("take", seats.Take(t.Context(), "hall", 1+r.Int64N(3), shard.Once(key)))
					}
					time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
				}
			})
		}
		clients.Wait()
		s.db.ClearFaults()
		s.db.DeliverLate()
		t.Log(s.sent)
		s.box.requireSum(t, "hall")
		left, err := s.box.bounded(config).Left(t.Context(), "hall")
		require.NoError(t, err)
		require.LessOrEqual(t, left.Taken, left.Limit)
		for _, what := range []string{"set limit", "return", "take", "take refused"} {
			require.Positive(t, s.sent[what], what)
		}
	})
}

// noteResult notes the result of a call.
func (s *storm) noteResult(what string, err error) {
	switch {
	case errors.Is(err, trestle.ErrCondition), errors.Is(err, trestle.ErrNotFound):
		what += " refused"
	case err != nil:
		what += " failed"
	}
	s.note(what)
}
