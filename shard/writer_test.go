package shard_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
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

var owned = shard.Config{Mode: shard.WriterOwned}

// Increments count in memory until a flush, which stores them once.
func TestWriter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		views := b.counters(owned)
		v, w := views.Writer(), b.counters(owned).Writer()
		want := map[string]int64{}
		for i := range 100 {
			name := fmt.Sprint("page ", i%3)
			require.NoError(t, v.Add(name, int64(i)))
			require.NoError(t, w.Add(name, 1))
			want[name] += int64(i) + 1
		}
		requireTotal(t, views, "page 0", 0)
		require.Equal(t, int64(34), w.Pending("page 0"))
		require.Zero(t, w.Durable("page 0"))
		require.NoError(t, v.Flush(t.Context()))
		require.NoError(t, w.Flush(t.Context()))
		require.Equal(t, int64(34), w.Durable("page 0"))
		require.Zero(t, w.Pending("page 0"))
		totals, err := views.Totals(t.Context(), "page 0", "page 1", "page 2")
		require.NoError(t, err)
		require.Equal(t, want, totals)
		n, err := views.Snapshot(t.Context(), "page 1")
		require.NoError(t, err)
		require.Equal(t, want["page 1"], n)
		rolled, err := views.RollUp(t.Context(), "page 1")
		require.NoError(t, err)
		require.Equal(t, want["page 1"], rolled.Value)

		require.NoError(t, w.Add("page 0", -10))
		require.NoError(t, w.Close(t.Context()))
		requireTotal(t, views, "page 0", want["page 0"]-10)
		requireKind(t, w.Add("page 0", 1), trestle.ErrInvalid, trestle.NotApplied)
		require.NoError(t, w.Close(t.Context()), "again")
		require.NoError(t, views.Delete(t.Context(), "page 0"))
		for key := range b.items(t) {
			require.False(t, strings.HasPrefix(key, "$U#count#votes#page 0"), key)
		}
	})
}

// A flush costs one write unit for each counter, whatever the number of increments.
func TestWriter_cost(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	views := b.counters(owned)
	w := views.Writer()
	flush := func() error { return w.Flush(t.Context()) }
	add := func(names ...string) {
		for range 1000 {
			for _, name := range names {
				require.NoError(t, w.Add(name, 1))
			}
		}
	}
	b.requireCost(t, 0, 0, flush, "nothing to store")
	add("a", "b")
	b.requireCost(t, 2, 6, flush, "the first of two counters")
	add("a", "b")
	b.requireCost(t, 0, 2, flush)
	add("a")
	b.requireCost(t, 0, 1, flush)
	b.requireCost(t, 0, 0, flush)
	b.requireCost(t, 2, 0, func() error { _, err := views.Total(t.Context(), "a"); return err })
	requireTotal(t, views, "a", 3000)
	w = views.Writer()
	add("a")
	b.requireCost(t, 1, 2, flush, "the first of another Writer")
	requireTotal(t, views, "a", 4000)
}

// A flush whose reply is lost counts once: the next one stores the same or a newer sum.
func TestWriter_faults(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		views := b.counters(owned)
		want := int64(0)
		w := views.Writer()
		for _, f := range testfaults.All() {
			for range 3 { // the registration and the flush of a new Writer, and a flush of a known one
				b.fail(f)
				require.NoError(t, w.Add("a", 5))
				want += 5
				if err := w.Flush(t.Context()); err != nil {
					require.NotEqual(t, trestle.Applied, trestle.OutcomeOf(err), f.Name)
					require.Equal(t, int64(5), w.Pending("a"), f.Name)
				}
				b.faulty.Fault.Store(nil)
				require.NoError(t, w.Flush(t.Context()), f.Name)
				require.Zero(t, w.Pending("a"))
				requireTotal(t, views, "a", want)
			}
			w = views.Writer()
		}
	})
}

// A late request of an earlier flush changes nothing.
func TestWriter_late(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		views := b.counters(owned)
		for k := 1; k <= 5; k++ {
			name := fmt.Sprint(k)
			w := &testfaults.Wire{Decide: func(n int, _ string) testfaults.Fate {
				if n == k || n == k+1 { // both attempts
					return testfaults.Delay
				}
				return testfaults.Pass
			}}
			writer := b.process(t, w).counters(owned).Writer()
			require.NoError(t, writer.Add(name, 7))
			_ = writer.Flush(t.Context())
			require.NoError(t, writer.Add(name, 1))
			if err := writer.Flush(t.Context()); err != nil {
				require.NoError(t, writer.Flush(t.Context()))
			}
			requireTotal(t, views, name, 8)
			require.NoError(t, w.Deliver())
			requireTotal(t, views, name, 8)
			require.NoError(t, writer.Add(name, 1))
			require.NoError(t, writer.Flush(t.Context()))
			requireTotal(t, views, name, 9)
		}
	})
}

// A program that is killed loses at most what was pending.
func TestWriter_killed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		for k := 1; k <= 12; k++ {
			for _, f := range []testfaults.Fate{testfaults.Drop, testfaults.Lose, testfaults.Delay} {
				name := fmt.Sprint(k, f)
				w := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
				writer := b.process(t, w).counters(owned).Writer()
				added := int64(0)
				for range 3 {
					require.NoError(t, writer.Add(name, 10))
					added += 10
					_ = writer.Flush(t.Context())
				}
				durable := writer.Durable(name)
				require.Equal(t, added, durable+writer.Pending(name))
				require.NoError(t, w.Deliver())
				n, err := b.counters(owned).Total(t.Context(), name)
				require.NoError(t, err)
				require.GreaterOrEqual(t, n, durable)
				require.LessOrEqual(t, n, added)
			}
		}
	})
}

// Drain moves the values of writers that are idle to the total item. A writer that is not idle
// after all stores the rest in another item.
func TestWriter_drain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
		b := newBox(t, e.Client(t), entity.Config{Clock: func() time.Time { return now }})
		config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Minute}
		views, reader := b.counters(config), b.counters(config)
		want := int64(0)
		var writers []*shard.Writer
		add := func(w *shard.Writer) {
			require.NoError(t, w.Add("a", 3))
			require.NoError(t, w.Flush(t.Context()))
			want += 3
		}
		drain := func(left int) {
			n, err := views.Drain(t.Context(), "a")
			require.NoError(t, err)
			require.Equal(t, want, n)
			requireTotal(t, reader, "a", want)
			requireTotal(t, b.counters(config), "a", want)
			open := 0
			for key, stored := range b.items(t) {
				if strings.HasPrefix(key, "$U#count#votes#a#w#") && stored["closed"] == nil {
					open++
				}
			}
			require.Equal(t, left, open)
		}
		for range 120 {
			writers = append(writers, views.Writer())
			add(writers[len(writers)-1])
		}
		requireTotal(t, reader, "a", want)
		_, err := reader.Snapshot(t.Context(), "a")
		requireKind(t, err, trestle.ErrLimit, trestle.NoWrite)
		drain(120)
		now = now.Add(59 * time.Second)
		add(writers[0])
		drain(120)
		now = now.Add(time.Second)
		drain(1)
		_, err = reader.Snapshot(t.Context(), "a")
		require.NoError(t, err)
		for _, w := range writers[:10] {
			require.Zero(t, w.Pending("a"))
			add(w)
			add(w)
		}
		drain(10)
		now = now.Add(time.Hour)
		drain(0)
		add(writers[3])
		drain(1)
		requireKind(t, b.counters(shard.Config{Mode: shard.WriterOwned, WriterIdle: -1}).Writer().Add("a", 1), trestle.ErrInvalid, trestle.NotApplied)
	})
}

// A program that drains crashes at each of its requests. Writers and readers go on.
func TestWriter_drainCrashes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}
		b := newBox(t, e.Client(t), entity.Config{})
		for k, crashed := 1, true; crashed; k++ {
			crashed = false
			for _, f := range []testfaults.Fate{testfaults.Drop, testfaults.Lose, testfaults.Delay} {
				name, want := fmt.Sprint(k, f), int64(0)
				v, w := b.counters(config).Writer(), b.counters(config).Writer()
				add := func() {
					for _, w := range []*shard.Writer{v, w} {
						require.NoError(t, w.Add(name, 3))
						require.NoError(t, w.Flush(t.Context()))
						want += 3
					}
					requireTotal(t, b.counters(config), name, want)
				}
				add()
				wire := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
				_, err := b.process(t, wire).counters(config).Drain(t.Context(), name)
				crashed = crashed || err != nil
				add()
				require.NoError(t, wire.Deliver())
				requireTotal(t, b.counters(config), name, want)
				add()
				n, err := b.counters(config).Drain(t.Context(), name)
				require.NoError(t, err)
				require.Equal(t, want, n)
				add()
			}
		}
	})
}

// Writers count and flush at the same time as others drain and read.
func TestWriter_concurrent(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	config := shard.Config{Mode: shard.WriterOwned, WriterIdle: time.Nanosecond}
	views := b.counters(config)
	w := views.Writer()
	flushes := testsize.Sequential(60, 300, 300)
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for range flushes {
				for _, name := range []string{"a", "b"} {
					if err := w.Add(name, 1); err != nil {
						t.Error(err)
					}
				}
				if err := w.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		last := int64(0)
		for reading(done) {
			n, err := views.Total(t.Context(), "a")
			if err != nil || n < last {
				t.Errorf("%d after %d, %v", n, last, err)
				return
			}
			last = n
		}
	})
	others.Go(func() {
		for reading(done) {
			if _, err := b.counters(config).Drain(t.Context(), "a"); err != nil {
				t.Error(err)
				return
			}
		}
	})
	workers.Wait()
	close(done)
	others.Wait()
	requireTotal(t, views, "a", int64(3*flushes))
	requireTotal(t, views, "b", int64(3*flushes))
}

// reading reports whether a test has not ended.
func reading(done <-chan struct{}) bool {
	select {
	case <-done:
		return false
	default:
		return true
	}
}

// Writers work in each Region, and their names are listed.
func TestWriter_regions(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	for i, region := range []string{"eu-west-1", "us-east-1"} {
		views := b.counters(shard.Config{Mode: shard.WriterOwned, Region: region, Regions: []string{"eu-west-1", "us-east-1"}, Listed: true})
		w := views.Writer()
		require.NoError(t, w.Add("a", 2))
		require.NoError(t, w.Close(t.Context()))
		requireTotal(t, views, "a", int64(2*i+2))
		require.Equal(t, []string{"a"}, namesOf(t, views))
		_, err := views.Drain(t.Context(), "a")
		requireKind(t, err, trestle.ErrInvalid, trestle.NotApplied)
	}
}

// Mistakes are refused, and nothing is sent.
func TestWriter_invalid(t *testing.T) {
	t.Parallel()
	b := newBox(t, ddbtest.Client(t), entity.Config{})
	sent := len(b.db.Requests())
	w := b.counters(owned).Writer()
	requireKind(t, w.Add("", 1), trestle.ErrInvalid, trestle.NotApplied)
	const most = 1<<62 - 1
	require.NoError(t, w.Add("a", most))
	for _, n := range []int64{1, math.MaxInt64, -2*most - 1, math.MinInt64} {
		requireKind(t, w.Add("a", n), trestle.ErrInvalid, trestle.NotApplied)
	}
	require.Equal(t, int64(most), w.Pending("a"))
	require.Zero(t, w.Pending("b"))
	other := b.counters(shard.Config{}).Writer()
	requireKind(t, other.Add("a", 1), trestle.ErrInvalid, trestle.NotApplied)
	requireKind(t, other.Flush(t.Context()), trestle.ErrInvalid, trestle.NotApplied)
	for _, w := range []*shard.Writer{nil, new(shard.Writer), (*shard.Counters)(nil).Writer(), new(shard.Counters).Writer()} {
		require.ErrorIs(t, w.Add("a", 1), trestle.ErrInvalid)
		require.ErrorIs(t, w.Flush(t.Context()), trestle.ErrInvalid)
		require.ErrorIs(t, w.Close(t.Context()), trestle.ErrInvalid)
		require.Zero(t, w.Durable("a"))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.Flush(ended), context.Canceled)
	require.Equal(t, int64(most), w.Pending("a"))
	require.LessOrEqual(t, len(b.db.Requests())-sent, 1)
}
