package shard

import (
	"sync"

	"github.com/trestledb/trestle/internal/errs"
)

// Writer counts in memory, for mode [WriterOwned]. [Writer.Flush] stores the sums. Each Writer
// stores them in items of its own, so no other program writes them, and a flush counts once however
// often it is sent.
//
// If the program ends without a flush, the increments since the last one are lost, at most
// [Writer.Pending]. A Writer is safe for concurrent use. It keeps a few dozen bytes for each
// counter that it has incremented.
type Writer struct {
	counters *Counters
	flushes  chan struct{} // holds a value while a flush is running

	mu     sync.Mutex
	closed bool
	tally  map[string]*tally
}

// tally is what a Writer knows of a counter. The fields after the mutex of the Writer's map are
// only used by the running flush, except total, durable, unsure and ended.
type tally struct {
	total   int64 // of all increments
	durable int64 // of those that DynamoDB has acknowledged
	unsure  bool  // a flush has no reply yet, so another sum than durable may be stored
	ended   bool  // the item says that the Writer is closed

	id         string // of the item; empty: there is none yet
	registered bool   // readers read the item
	seq        int64  // of the last flush
	folded     int64  // what is no longer in the item, because Drain moved it
}

// Writer returns a new Writer, with random IDs that are never used again. Keep it as long as the
// program runs: each Writer costs every reader a read unit, until [Counters.Drain] moves its
// values. It needs mode WriterOwned.
func (c *Counters) Writer() *Writer {
	return &Writer{counters: c, flushes: make(chan struct{}, 1), tally: map[string]*tally{}}
}

var (
	errNoWriter     = errs.New("", "the Writer is nil or zero", "make it with Counters.Writer")
	errNotOwned     = errs.New("", "only mode WriterOwned has Writers", "use mode WriterOwned, or Add of the Counters")
	errWriterClosed = errs.New("", "the Writer is closed", "make another one with Counters.Writer")
)

// ready reports why the Writer cannot be used for the names.
func (w *Writer) ready(operation string, names ...string) error {
	if w == nil || w.flushes == nil {
		return new(Counters).failed(operation, errNoWriter)
	}
	if err := w.counters.ready(operation, names...); err != nil {
		return err
	}
	if w.counters.config.Mode != WriterOwned {
		return w.counters.failed(operation, errNotOwned)
	}
	return nil
}

// Add adds n to a counter, in memory. It sends nothing. The error is [trestle.ErrInvalid] if the
// Writer is closed, or if its sum would exceed 2^62.
func (w *Writer) Add(name string, n int64) error {
	if !w.counts(name) { // a name that it counts is valid
		if err := w.ready(opAdd, name); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.counters.failed(opAdd, errWriterClosed)
	}
	t := w.tally[name]
	if t == nil {
		t = new(tally)
	}
	total, err := sum(t.total, n)
	if err != nil || total > maxWritten || total < -maxWritten {
		return w.counters.failed(opAdd, errs.New("n", "the sum of the Writer exceeds 2^62", "divide the count among several counters"))
	}
	t.total = total
	w.tally[name] = t
	return nil
}

// maxWritten is the maximum sum of a Writer. The differences of two sums are integers of 64 bits.
const maxWritten = 1<<62 - 1

// counts reports whether the Writer has incremented a counter before.
func (w *Writer) counts(name string) bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tally[name] != nil
}

// Durable returns the sum of the increments of a counter that are stored for certain.
func (w *Writer) Durable(name string) int64 { return w.sums(name).durable }

// Pending returns the sum of the increments of a counter that may not be stored yet. If the program
// ends now, they are lost.
func (w *Writer) Pending(name string) int64 {
	t := w.sums(name)
	return t.total - t.durable
}

// sums returns the sums of a counter.
func (w *Writer) sums(name string) (found tally) {
	if w == nil {
		return tally{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tally[name]; t != nil {
		found.total, found.durable = t.total, t.durable
	}
	return found
}
