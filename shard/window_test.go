package shard_test

import (
	"fmt"
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

// Ten minutes after the first attempt, DynamoDB may have forgotten the key: nothing is sent.
func TestOnceSince(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now})
		votes := b.counters(shard.Config{Mode: shard.ExactWindow})
		first := db.Now()
		key := shard.OnceSince("k", first)
		for _, c := range []struct {
			after time.Duration
			ok    bool
		}{
			{0, true},
			{9 * time.Minute, true},
			{9*time.Minute + 49*time.Second, true},
			{9*time.Minute + 50*time.Second, false}, // an attempt may take 10 s
			{10 * time.Minute, false},
			{11 * time.Minute, false},
		} {
			db.Advance(c.after - db.Now().Sub(first))
			sent := len(db.Requests())
			err := votes.Add(t.Context(), "a", 1, key)
			if c.ok {
				require.NoError(t, err)
				continue
			}
			requireKind(t, err, trestle.ErrUnknown, trestle.Unknown)
			require.Len(t, db.Requests(), sent, "nothing is sent")
		}
		requireTotal(t, votes, "a", 1)
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("k")), "without the time, it counts again")
		requireTotal(t, votes, "a", 2)
	})
}

// An increment whose replies are lost is sent again only while DynamoDB remembers its first
// attempt.
func TestOnceSince_lostReplies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		b := newBox(t, db.Client(), entity.Config{Clock: db.Now}, entity.Timeout(time.Minute))
		votes := b.counters(shard.Config{Mode: shard.ExactWindow})
		require.NoError(t, votes.Add(t.Context(), "a", 0), "the number of shards is known")
		db.Fail(ddbtest.Op("TransactWriteItems"), ddbtest.AfterCommit(ddbtest.Hang))
		first := db.Now()
		requireKind(t, votes.Add(t.Context(), "a", 1, shard.OnceSince("k", first)), trestle.ErrUnknown, trestle.Unknown)
		db.Advance(5 * time.Minute)
		sent := time.Now()
		requireKind(t, votes.Add(t.Context(), "a", 1, shard.OnceSince("k", first)), trestle.ErrUnknown, trestle.Unknown)
		require.Less(t, db.Now().Sub(first), 10*time.Minute+time.Second)
		require.Less(t, time.Since(sent), 2*time.Minute)
		db.ClearFaults()
		requireTotal(t, votes, "a", 1)
	})
}

// Without a key, each call counts, and a lost reply does not count twice.
func TestWindow_withoutKey(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	votes := b.counters(shard.Config{Mode: shard.ExactWindow, Shards: 3})
	for range 10 {
		b.fail(lostReply())
		require.NoError(t, votes.Add(t.Context(), "a", 1))
	}
	requireTotal(t, votes, "a", 10)
}

// The first request arrives after its repetition, and adds nothing.
func TestLateDuplicates(t *testing.T) {
	t.Parallel()
	for _, mode := range exactModes {
		b := newBox(t, ddbtest.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: mode, Shards: 3})
		require.NoError(t, votes.Add(t.Context(), "a", 1, shard.Once("first")))
		rule := b.db.Fail(ddbtest.Op("TransactWriteItems"), ddbtest.Every(2), ddbtest.LateDuplicate)
		for i := range 10 {
			require.NoError(t, votes.Add(t.Context(), "a", 1, keyFor(mode, i)...))
		}
		require.GreaterOrEqual(t, rule.Hits(), 5)
		b.db.ClearFaults()
		b.db.DeliverLate()
		requireTotal(t, votes, "a", 11)
	}
}

// A counter that is resized often between a few numbers keeps each former number, so an increment
// that was counted under the first one is found.
func TestWindow_afterManyResizes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		b := newBox(t, e.Client(t), entity.Config{})
		votes := b.counters(shard.Config{Mode: shard.ExactWindow, Shards: 2})
		const keys = 10
		add := func() {
			for i := range keys {
				require.NoError(t, votes.Add(ctx, "a", 1, shard.Once(fmt.Sprint(i))))
			}
		}
		add()
		for i := range 20 {
			require.NoError(t, votes.Resize(ctx, "a", 5+2*(i%2)))
		}
		add()
		requireTotal(t, votes, "a", keys)
	})
}
