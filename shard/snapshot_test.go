package shard_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
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
	testsize.SkipRace(t)
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

// A snapshot of 100 writers is one of a moment, while the value of one of them is moved.
func TestSnapshot_hundredWriters(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	b := newBox(t, ddbtest.Client(t), entity.Config{Clock: func() time.Time { return now }})
	config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Minute}
	views := b.counters(config)
	flush := func(w *shard.Writer, n int64) {
		require.NoError(t, w.Add("a", n))
		require.NoError(t, w.Flush(t.Context()))
	}
	var writers []*shard.Writer
	for range 100 {
		writers = append(writers, views.Writer())
		flush(writers[len(writers)-1], 3)
	}
	read, moved := false, false
	w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
		switch {
		case operation == "TransactGetItems":
			read = true
		case read && !moved: // before the total item is read again
			moved = true
			flush(writers[0], 1)
			now = now.Add(-time.Hour)
			flush(writers[1], 5) // this writer is idle
			now = now.Add(time.Hour)
			total, err := views.Drain(t.Context(), "a")
			require.NoError(t, err)
			require.EqualValues(t, 306, total)
		}
		return testfaults.Pass
	}}
	reader := b.process(t, w).counters(config)
	requireTotal(t, reader, "a", 300) // it knows the writers
	n, err := reader.Snapshot(t.Context(), "a")
	require.NoError(t, err)
	require.True(t, moved)
	require.EqualValues(t, 306, n, "300 and 301 would be moments, too; 305 never was")
}
