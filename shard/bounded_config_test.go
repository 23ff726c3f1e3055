package shard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// Every mistake of the configuration is reported at once, and nothing is sent.
func TestBoundedConfig(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	sent := len(b.db.Requests())
	for name, c := range map[string]struct {
		config shard.BoundedConfig
		fields []string
	}{
		"negative":     {shard.BoundedConfig{Shards: -1, Lease: -1, Grant: -1}, []string{"Shards", "Lease", "Grant"}},
		"many":         {shard.BoundedConfig{Shards: 100}, []string{"Shards"}},
		"no TTL":       {shard.BoundedConfig{MarkerLife: time.Hour}, []string{"MarkerLife"}},
		"negative TTL": {shard.BoundedConfig{MarkerLife: -1}, []string{"MarkerLife"}},
		"global":       {shard.BoundedConfig{MultiRegion: true}, []string{"MultiRegion"}},
	} {
		for _, err := range callsOf(t.Context(), b.bounded(c.config), "a", shard.Once("k")) {
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
			for _, field := range c.fields {
				require.Contains(t, err.Error(), field, name)
			}
		}
	}
	ctx, seats := t.Context(), b.bounded(shard.BoundedConfig{})
	for name, err := range map[string]error{
		"zero":          seats.Take(ctx, "a", 0, shard.Once("k")),
		"negative":      seats.Take(ctx, "a", -1, shard.Once("k")),
		"no key":        seats.Take(ctx, "a", 1, shard.AddOption{}),
		"empty key":     seats.Take(ctx, "a", 1, shard.Once("")),
		"no name":       seats.Take(ctx, "", 1, shard.Once("k")),
		"return":        seats.Return(ctx, "a", ""),
		"limit":         seats.SetLimit(ctx, "a", -1),
		"operation":     tx.Write(ctx, seats.Op("a", 0, shard.Once("k"))),
		"two of a kind": tx.Write(ctx, seats.Op("a", 1, shard.Once("k")), seats.Op("a", 1, shard.Once("l"))),
		"no table":      shard.NewBounded(nil, "votes", shard.BoundedConfig{}).SetLimit(ctx, "a", 1),
	} {
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	require.ErrorIs(t, seats.Take(ctx, "a", 1, shard.Once(strings.Repeat("k", 2040))), trestle.ErrLimit)
	for _, seats := range []*shard.Bounded{nil, new(shard.Bounded)} {
		for _, err := range callsOf(ctx, seats, "a", shard.Once("k")) {
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
	}
	require.Len(t, b.db.Requests(), sent, "nothing is sent")

	taken := newBox(t, ddbtest.Client(t), entity.Config{TTL: "until"})
	require.ErrorIs(t, taken.bounded(shard.BoundedConfig{}).SetLimit(ctx, "a", 1), trestle.ErrInvalid)
}

// callsOf calls each method, and returns their errors.
func callsOf(ctx context.Context, seats *shard.Bounded, name string, key shard.AddOption) []error {
	_, left := seats.Left(ctx, name)
	return []error{
		seats.SetLimit(ctx, name, 770077), seats.Take(ctx, name, 1, key), seats.Return(ctx, name, "canary-key"), left,
		tx.Write(ctx, seats.Op(name, 1, key)),
	}
}

// Each step costs what its documentation says.
func TestBounded_cost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	seats := b.bounded(shard.BoundedConfig{Grant: 3})
	take := func(i int) func() error { return func() error { return seats.Take(ctx, "a", 1, once(i)) } }
	b.requireCost(t, 1, 1, func() error { return seats.SetLimit(ctx, "a", 5) }, "a new counter")
	b.requireCost(t, 1, 1, func() error { return seats.SetLimit(ctx, "a", 6) }, "another limit")
	b.requireCost(t, 1, 4+6, take(1), "a lease")
	other := b.bounded(shard.BoundedConfig{})
	b.requireCost(t, 1, 4, func() error { return other.Take(ctx, "a", 1, once(1)) }, "the first one of another value")
	b.requireCost(t, 0, 4, take(2), "quota of the shard")
	b.requireCost(t, 0, 4, take(2), "a repetition")
	b.requireCost(t, 1, 4, func() error { return seats.Return(ctx, "a", "2") })
	b.requireCost(t, 1, 0, func() error { return seats.Return(ctx, "a", "2") }, "a repetition")
	b.requireCost(t, 2, 0, func() error { _, err := seats.Left(ctx, "a"); return err })
	b.requireCost(t, 1, 4, func() error { return tx.Write(ctx, seats.Op("a", 1, once("op"))) }, "an operation")
	b.requireCost(t, 0, 4, take(3))
	b.requireCost(t, 1+1, 4+4, func() error { return tx.Write(ctx, seats.Op("a", 1, once("op 2"))) }, "an operation, and a lease")
	b.requireCost(t, 1+2, 2*2, func() error { return seats.SetLimit(ctx, "a", 5) }, "quota of the shard is needed")
	b.requireCost(t, 0, 4, take(4))
	cost := b.db.Measure(func() { require.ErrorIs(t, take(5)(), trestle.ErrCondition) })
	require.Equal(t, [2]float64{1 + 2*2 + 1, 4}, [2]float64{cost.ReadUnits, cost.WriteUnits}, "sold out")
}

// A marker expires by the TTL attribute. Until it is deleted, the key is known.
func TestBounded_markerLife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, db := t.Context(), ddbtest.Start(t, ddbtest.Options{TTLDelay: time.Hour})
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now, TTL: "ttl"})
		seats := b.bounded(shard.BoundedConfig{MarkerLife: time.Hour})
		require.NoError(t, seats.SetLimit(ctx, "a", 2))
		require.NoError(t, seats.Take(ctx, "a", 1, once("k")))
		require.NoError(t, seats.Take(ctx, "a", 1, once("returned")))
		db.Advance(time.Hour + time.Minute)
		require.NoError(t, seats.Return(ctx, "a", "returned"))
		require.ErrorIs(t, tx.Write(ctx, seats.Op("a", 1, once("k"))), trestle.ErrExists)
		n, err := seats.Taken(ctx, "a", "k")
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		db.Advance(3 * time.Hour)
		n, err = seats.Taken(ctx, "a", "k")
		require.NoError(t, err)
		require.Zero(t, n)
		requireKind(t, seats.Return(ctx, "a", "k"), trestle.ErrNotFound, trestle.NotApplied)
		require.NoError(t, seats.Take(ctx, "a", 1, once("k")), "it takes again")
		left, err := seats.Left(ctx, "a")
		require.NoError(t, err)
		require.Zero(t, left.Left)
	})
}

// A take that is canceled ends at once, and takes at most once.
func TestBounded_cancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now})
		seats := b.bounded(shard.BoundedConfig{Shards: 4})
		require.NoError(t, seats.SetLimit(t.Context(), "a", 5))
		db.Fail(ddbtest.Op("TransactWriteItems"), ddbtest.Conflict)
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Millisecond)
		defer cancel()
		began := time.Now()
		require.ErrorIs(t, seats.Take(ctx, "a", 1, once("k")), context.DeadlineExceeded)
		require.LessOrEqual(t, time.Since(began), 20*time.Millisecond)
		db.ClearFaults()
		b.requireLeft(t, seats, "a", 5, 0)
	})
}

// Of several takes with one key at the same time, one takes, also if nothing is left then.
func TestBounded_sameKey(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		require.NoError(t, b.bounded(shard.BoundedConfig{Shards: 3}).SetLimit(t.Context(), "a", 3))
		var workers sync.WaitGroup
		for range 6 {
			workers.Go(func() {
				seats := b.bounded(shard.BoundedConfig{})
				for i := range 3 {
					if err := seats.Take(t.Context(), "a", 1, once(i)); err != nil && trestle.OutcomeOf(err) != trestle.NotApplied {
						t.Errorf("%v", err)
					}
				}
			})
		}
		workers.Wait()
		seats := b.bounded(shard.BoundedConfig{})
		for i := range 3 {
			require.NoError(t, seats.Take(t.Context(), "a", 1, once(i)))
		}
		b.requireLeft(t, seats, "a", 3, 3)
	})
}

// A take is a part of a transaction: all of it is applied, or nothing.
func TestBounded_op(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b, ballots := newElection(t, e)
		seats := b.bounded(shard.BoundedConfig{Shards: 4, Grant: 2})
		book := func(voter string, n int64) error {
			return tx.Write(ctx, ballots.Op().Create(&ballot{Voter: voter}), seats.Op("a", n, shard.Once(voter)))
		}
		require.ErrorIs(t, book("early", 1), trestle.ErrNotFound)
		require.NoError(t, seats.SetLimit(ctx, "a", 20))
		for i := range 12 {
			require.NoError(t, book(fmt.Sprint(i), 1))
		}
		b.requireLeft(t, seats, "a", 20, 12)
		require.ErrorIs(t, book("many", 9), trestle.ErrCondition)
		require.ErrorIs(t, tx.Write(ctx, seats.Op("a", 1, once(3))), trestle.ErrExists)
		require.NoError(t, book("rest", 8), "quota of several shards")
		b.requireLeft(t, seats, "a", 20, 20)
		require.ErrorIs(t, book("late", 1), trestle.ErrCondition)
		require.ErrorIs(t, tx.Write(ctx, seats.Op("a", 8, once("rest"))), trestle.ErrExists, "although nothing is left")
		_, err := ballots.Get(ctx, ballot{Voter: "late"})
		require.ErrorIs(t, err, trestle.ErrNotFound)
		require.NoError(t, seats.Return(ctx, "a", "rest"))
		b.requireLeft(t, seats, "a", 20, 12)

		sent := b.faulty.All.Load()
		x, err := tx.NewWrite(seats.Op("a", 1, shard.Once("k"))).Explain()
		require.NoError(t, err)
		require.Equal(t, 2, x.Actions)
		require.Equal(t, sent, b.faulty.All.Load(), "nothing is sent")
	})
}

// Transactions at the same time sell all seats, and none is refused before: a transaction whose
// quota was taken by others is repeated.
func TestBounded_opConcurrent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b, ballots := newElection(t, e)
		seats := b.bounded(shard.BoundedConfig{Shards: 16})
		require.NoError(t, seats.SetLimit(t.Context(), "a", 100))
		var sold, refused atomic.Int64
		var buyers sync.WaitGroup
		for i := range 12 {
			buyers.Go(func() {
				for n := range 10 {
					voter := fmt.Sprint(i, "-", n)
					err := tx.Write(t.Context(), ballots.Op().Create(&ballot{Voter: voter}), seats.Op("a", 1, shard.Once(voter)))
					switch {
					case err == nil:
						sold.Add(1)
					case errors.Is(err, trestle.ErrCondition):
						refused.Add(1)
					default:
						t.Error(err)
					}
				}
			})
		}
		buyers.Wait()
		require.EqualValues(t, 100, sold.Load())
		require.EqualValues(t, 20, refused.Load())
		b.requireLeft(t, seats, "a", 100, 100)
	})
}

// No error prints the name of a counter, a key or a number.
func TestBounded_printsNoValues(t *testing.T) {
	t.Parallel()
	const name = "canary-name"
	key, printed := shard.Once("canary-key"), 0
	check := func(list []error) {
		for _, err := range list {
			if err == nil {
				continue
			}
			printed++
			asJSON, failed := json.Marshal(err)
			require.NoError(t, failed)
			for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err), string(asJSON)} {
				require.NotContains(t, text, "canary")
				require.NotContains(t, text, "770077")
			}
		}
	}
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	seats := b.bounded(shard.BoundedConfig{})
	for _, f := range testfaults.All() {
		b.fail(f)
		check(callsOf(t.Context(), seats, name, key))
	}
	check([]error{seats.Take(t.Context(), name, math.MaxInt64, shard.Once("other canary"))})
	for _, stored := range b.items(t) {
		for _, attribute := range []string{"n", "free"} {
			if stored[attribute] != nil {
				stored[attribute] = text("canary")
			}
		}
		b.put(t, stored)
	}
	b.faulty.Fault.Store(nil)
	check(callsOf(t.Context(), b.bounded(shard.BoundedConfig{}), name, key))
	require.Greater(t, printed, 10)
}
