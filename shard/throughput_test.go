package shard_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A partition takes 1,000 write units per second. If callers send as many increments as 16
// partitions take, then 16 shards apply at least 15 times as many as one shard. The time is that of
// a bubble: it passes only between the seconds of the test.
func TestThroughput(t *testing.T) {
	t.Parallel()
	if testsize.Race {
		t.Skip("it has no concurrency")
	}
	synctest.Test(t, func(t *testing.T) {
		seconds := testsize.Pick(1, 1, 3)
		one, sixteen := throughput(t, 1, seconds), throughput(t, 16, seconds)
		t.Logf("in %d seconds: %d increments with 1 shard, %d with 16", seconds, one, sixteen)
		require.InDelta(t, 1000*seconds, one, 1)
		require.GreaterOrEqual(t, sixteen, 15*one)
	})
}

// throughput returns how many increments a counter applies in a number of seconds. Each caller
// makes one attempt. In a second, callers send 16,000 increments, and no more after 500 of them
// were throttled.
func throughput(t *testing.T, shards, seconds int) (applied int) {
	t.Helper()
	db := ddbtest.Start(t, ddbtest.Options{KeepRequests: 1})
	client := db.Client(func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 })
	b := newBox(t, client, entity.Config{Clock: db.Now})
	likes := b.counters(shard.Config{Mode: shard.Approximate, Shards: shards})
	require.NoError(t, likes.Resize(t.Context(), "a", shards))
	db.LimitPartitions(ddbtest.Units{Write: 1000})
	for range seconds {
		refused := 0
		for sent := 0; sent < 16_000 && refused < 500; sent++ {
			if err := likes.Add(t.Context(), "a", 1); err != nil {
				require.True(t, trestle.IsThrottled(err), "%v", err)
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
				refused++
				continue
			}
			applied++
		}
		db.Advance(time.Second)
	}
	db.LimitPartitions(ddbtest.Units{})
	requireTotal(t, likes, "a", int64(applied))
	return applied
}
