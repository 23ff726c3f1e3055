package shard_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// A marker expires by the TTL attribute. Until it is deleted, the increment counts once.
func TestMarkerLife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{TTLDelay: 48 * time.Hour})
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now, TTL: "ttl"})
		votes := b.counters(shard.Config{MarkerLife: time.Hour})
		add := func() { require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("k"))) }
		add()
		require.Equal(t, int(db.Now().Add(time.Hour).Unix()), numberOf(t, b.items(t)["$U#mark#votes#a#k"]["ttl"]))
		db.Advance(2 * time.Hour)
		add()
		requireTotal(t, votes, "a", 1)
		db.Advance(50 * time.Hour)
		require.NotContains(t, b.items(t), "$U#mark#votes#a#k")
		add()
		requireTotal(t, votes, "a", 2)
		require.Nil(t, b.items(t)["$U#count#votes#a#000"]["ttl"], "a shard never expires")
	})
}

// If no attempt has a reply, the stored marker or event shows that the increment was applied.
func TestAdd_noReply(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.Events} {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: mode})
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("j")))
		b.db.Fail(ddbtest.Op("TransactWriteItems", "PutItem"), ddbtest.AfterCommit(ddbtest.Reset))
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("k")))
		b.db.ClearFaults()
		rule := b.db.Fail(ddbtest.Op("TransactWriteItems", "PutItem"), ddbtest.Reset)
		requireKind(t, votes.Add(t.Context(), "a", 1, shard.Once("l")), trestle.ErrUnknown, trestle.Unknown)
		rule.Remove()
		requireTotal(t, votes, "a", 2)
	}
}

// Of several increments with one key at the same time, one counts.
func TestAdd_sameKeyAtTheSameTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Events} {
			box := newBox(t, e.Client(t), entity.Config{})
			var workers sync.WaitGroup
			for range 8 {
				workers.Go(func() {
					c := box.counters(shard.Config{Mode: mode, Shards: 5})
					for i := range 5 {
						if err := c.Add(t.Context(), "a", 2, shard.Once(fmt.Sprint(i))); err != nil && trestle.OutcomeOf(err) != trestle.NotApplied {
							t.Errorf("%s: %v", mode, err)
						}
					}
				})
			}
			workers.Wait()
			c := box.counters(shard.Config{Mode: mode})
			for i := range 5 {
				require.NoError(t, c.Add(t.Context(), "a", 2, shard.Once(fmt.Sprint(i))))
			}
			requireTotal(t, c, "a", 10)
		}
	})
}

// The observer is notified of each request, by the operation that sends it.
func TestObserver(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	observer := trestle.ObserverFunc(func(_ context.Context, e trestle.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[e.Operation]++
		if e.Operation != "create table" {
			require.Equal(t, "votes", e.Entity, e.Operation)
		}
	})
	b := newBox(t, ddbtest.Client(t), entity.Config{Observer: observer})
	votes := b.counters(shard.Config{Shards: 2, Listed: true})
	ctx := t.Context()
	require.NoError(t, votes.Add(ctx, "a", 1, shard.Once("k")))
	_, err := votes.Total(ctx, "a")
	require.NoError(t, err)
	_, err = votes.Snapshot(ctx, "a")
	require.NoError(t, err)
	_, err = votes.Drain(ctx, "a")
	require.NoError(t, err)
	require.NoError(t, votes.Resize(ctx, "a", 3))
	_, err = votes.Cached(ctx, "a")
	require.NoError(t, err)
	_, err = votes.Top(ctx, 1)
	require.NoError(t, err)
	_, err = votes.Shards(ctx, "a")
	require.NoError(t, err)
	_, err = votes.ShardValues(ctx, "a")
	require.NoError(t, err)
	namesOf(t, votes)
	require.NoError(t, votes.Delete(ctx, "a"))
	for _, operation := range []string{"add", "total", "snapshot", "drain", "roll up", "resize", "cached total", "top", "shards", "shard values", "names", "delete counter"} {
		require.Positive(t, seen[operation], operation)
		delete(seen, operation)
	}
	require.Equal(t, map[string]int{"create table": 1}, seen)
}
