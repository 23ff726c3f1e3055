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
	return w.run(ctx, false)
}

// Close flushes, and lets further increments fail. The next [Counters.Drain] moves the values of a
// closed Writer at once, without waiting for WriterIdle of the [Config]. If the flush fails, call
// Close again, or read what is missing with [Writer.Pending].
//
// It costs 1 write unit for each counter that the Writer has flushed, or flushes now.
func (w *Writer) Close(ctx context.Context) error {
	if err := w.ready(opFlush); err != nil {
		return err
	}
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	return w.run(ctx, true)
}

// run flushes, the last time if the Writer ends.
func (w *Writer) run(ctx context.Context, ends bool) error {
	select {
	case w.flushes <- struct{}{}:
		defer func() { <-w.flushes }()
	case <-ctx.Done():
		return w.counters.failed(opFlush, ctx.Err())
	}
	return w.flushAll(ctx, w.changed(ends), ends)
}

// changed returns the names of the counters whose sum may not be stored, sorted. If the Writer
// ends, it also returns those whose item does not say so.
func (w *Writer) changed(ends bool) (names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, t := range w.tally {
		if t.unsure || t.total != t.durable || ends && !t.ended && t.id != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// flushAll stores the sums of counters, and returns the first error.
func (w *Writer) flushAll(ctx context.Context, names []string, ends bool) error {
	failures := make([]error, len(names))
	slots := make(chan struct{}, flushConcurrency)
	var running sync.WaitGroup
	for i, name := range names {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			failures[i] = w.flush(ctx, name, ends)
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
func (w *Writer) flush(ctx context.Context, name string, ends bool) error {
	w.mu.Lock()
	t := w.tally[name]
	total := t.total
	t.unsure = true
	w.mu.Unlock()
	f := &flushing{Counters: w.counters, of: w.counters.own(name), tally: t, total: total, ends: ends}
	if err := f.run(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	t.durable, t.unsure, t.ended = total, false, ends
	w.mu.Unlock()
	return nil
}
