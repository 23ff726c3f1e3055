package shard

import (
	"context"
	"slices"
	"sync"
)

// flushConcurrency is the maximum number of counters that a flush stores at the same time.
const flushConcurrency = 8

// Flush stores the sums of all counters that changed since their last flush, several at the same
// time. Increments continue meanwhile. If some cannot be stored, Flush stores the others, and
// returns the first error. Nothing is lost from memory: the next Flush stores what is missing,
// exactly once, also after [trestle.ErrUnknown].
//
// It costs 1 write unit for each counter that changed, whatever the number of increments. The first
// flush of a counter also registers the Writer in the total item: it reads the item, stores it if
// there is none, and writes it (1 read unit and 1 or 2 write units).
func (w *Writer) Flush(ctx context.Context) error {
	if err := w.ready(opFlush); err != nil {
		return err
	}
	select {
	case w.flushes <- struct{}{}:
		defer func() { <-w.flushes }()
	case <-ctx.Done():
		return w.counters.failed(opFlush, ctx.Err())
	}
	return w.flushAll(ctx, w.changed())
}

// Close flushes, and lets further increments fail. If the flush fails, call Close again, or read
// what is missing with [Writer.Pending].
func (w *Writer) Close(ctx context.Context) error {
	if err := w.ready(opFlush); err != nil {
		return err
	}
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	return w.Flush(ctx)
}

// changed returns the names of the counters whose sum is not stored, sorted.
func (w *Writer) changed() (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, t := range w.tally {
		if t.total != t.durable {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// flushAll stores the sums of counters, and returns the first error.
func (w *Writer) flushAll(ctx context.Context, names []string) error {
	failures := make([]error, len(names))
	slots := make(chan struct{}, flushConcurrency)
	var running sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			failures[i] = w.flush(ctx, name)
		})
	}
	running.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// flush stores the sum of a counter. If its item was closed, because Drain has moved the value, the
// rest is stored in another item.
func (w *Writer) flush(ctx context.Context, name string) error {
	w.mu.Lock()
	t := w.tally[name]
	total := t.total
	w.mu.Unlock()
	f := &flushing{Counters: w.counters, of: w.counters.own(name), tally: t, total: total}
	if err := f.run(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	t.durable = total
	w.mu.Unlock()
	return nil
}
