package shard_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// A snapshot reads at most 100 shards.
func TestSnapshot_limit(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		for _, shards := range []int{1, 98, 99, 100, 101} {
			votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: shards})
			name, known := fmt.Sprint(shards), b.counters(shard.Config{Shards: shards})
			for range 20 {
				require.NoError(t, votes.Add(t.Context(), name, 3))
			}
			_, err := votes.Drain(t.Context(), name)
			require.NoError(t, err)
			require.NoError(t, votes.Add(t.Context(), name, 1))
			for _, c := range []*shard.Counters{votes, b.counters(shard.Config{}), known} {
				n, err := c.Snapshot(t.Context(), name)
				if shards > 100 {
					requireKind(t, err, trestle.ErrLimit, trestle.NoWrite)
					continue
				}
				require.NoError(t, err, shards)
				require.EqualValues(t, 61, n, shards)
			}
		}
	})
}

// A snapshot of 100 shards is one of a moment, while values are moved.
func TestSnapshot_hundred(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	config := shard.Config{Mode: shard.Approximate, Shards: 100}
	votes := b.counters(config)
	require.NoError(t, votes.Add(t.Context(), "a", 1))
	var began, ended atomic.Int64
	began.Store(1)
	ended.Store(1)
	done := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for i := 0; reading(done); i++ {
			began.Add(1)
			err := votes.Add(t.Context(), "a", 1)
			ended.Add(1)
			if i%20 == 0 && err == nil {
				_, err = b.counters(config).Drain(t.Context(), "a")
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	read := 0
	for range 100 {
		least := ended.Load()
		n, err := b.counters(config).Snapshot(t.Context(), "a")
		if errors.Is(err, trestle.ErrStale) {
			continue
		}
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, least)
		require.LessOrEqual(t, n, began.Load())
		read++
	}
	close(done)
	others.Wait()
	require.Positive(t, read)
}
