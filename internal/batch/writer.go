package batch

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// maxWaiting is the maximum number of entries that wait for an earlier write of their item. The
// writer takes no arguments while so many wait.
const maxWaiting = 400

// writer is a running batch. Only the goroutine of the caller accesses it.
type writer struct {
	*Batch
	call  exec.Call
	start func() (requests, pauses context.Context) // the first call notifies the observer
	ended func() error                              // the error of the context

	pending map[int]*entry      // neither applied nor failed, by index
	queues  map[string][]*entry // pending entries by item, in the order of the input
	waiting int                 // entries that wait for an earlier one
	open    map[string][]*entry // entries of the next BatchWriteItem request of each table
	ready   []*request          // requests that wait for a running one to end
	running int
	results chan *result

	consumed int
	retried  int

	retriedFor error // why writes are sent again; nil after one was applied

	failures []trestle.BatchFailure
	stopped  *trestle.OpError // why the batch takes no more arguments and sends no more requests

	endPauses, cancel func()      // end the pauses; end the pauses and the requests
	end               func(error) // notifies the observer
	returned          bool        // without a panic
	err               error
}

func newWriter(ctx context.Context, b *Batch) *writer {
	w := &writer{
		Batch: b, ended: ctx.Err, pending: map[int]*entry{}, queues: map[string][]*entry{}, open: map[string][]*entry{}, results: make(chan *result),
		endPauses: func() {}, cancel: func() {}, end: func(error) {},
	}
	w.call = exec.NewCall(b.Config, trestle.OperationInfo{Operation: b.Name, Table: b.Table}, b.Entity, trestle.NotApplied)
	w.start = sync.OnceValues(func() (requests, pauses context.Context) {
		observed := w.call.Start(ctx)
		w.end = func(err error) { w.call.End(observed, err) }
		requests, w.cancel = context.WithCancel(observed)
		pauses, w.endPauses = context.WithCancel(requests)
		w.ended = requests.Err
		return requests, pauses
	})
	return w
}

// close ends what is still running after a panic, and notifies the observer.
func (w *writer) close() {
	w.cancel()
	for ; w.running > 0; w.running-- {
		_ = w.account(<-w.results)
	}
	if !w.returned {
		w.err = exec.ErrAborted
	}
	w.end(w.err)
}

// goesOn reports whether the batch takes another argument. It stops the batch if the context has
// ended.
func (w *writer) goesOn() bool {
	if err := w.ended(); err != nil {
		w.stop(w.unsent(errs.Ended(err, w.retriedFor)))
	}
	return w.stopped == nil
}

// stop ends the batch because of an error. Requests that are running go on; pauses end.
func (w *writer) stop(e *trestle.OpError) {
	if w.stopped == nil {
		w.stopped = e
		w.endPauses()
	}
}

// settle handles the results of requests until the writer can take another argument or, at the end
// of the input, until no request is left.
func (w *writer) settle(atEnd bool) {
	for {
		full := w.waiting >= maxWaiting
		if w.stopped == nil {
			if full || atEnd && w.running < w.concurrency() {
				w.closeChunks()
			}
			w.startRequests()
		}
		switch {
		case w.running == 0:
			return
		case atEnd, w.stopped == nil && (full || len(w.ready) > 0):
			w.handle(<-w.results)
			continue
		}
		select {
		case r := <-w.results:
			w.handle(r)
		default:
			return
		}
	}
}

func (w *writer) concurrency() int {
	if w.Concurrency < 1 {
		return DefaultConcurrency
	}
	return w.Concurrency
}

// dispatch adds a planned entry to the next BatchWriteItem request of its table, or makes a request
// of its own.
func (w *writer) dispatch(e *entry) {
	if !e.write.Batchable() {
		w.ready = append(w.ready, &request{entries: []*entry{e}, alone: true})
		return
	}
	chunk := append(w.open[e.table], e)
	if len(chunk) < op.BatchSize {
		w.open[e.table] = chunk
		return
	}
	w.ready = append(w.ready, &request{entries: chunk})
	delete(w.open, e.table)
}

// closeChunks makes requests of the entries that wait for others of their table.
func (w *writer) closeChunks() {
	for _, table := range slices.Sorted(maps.Keys(w.open)) { // an order that a test can repeat
		w.ready = append(w.ready, &request{entries: w.open[table]})
	}
	clear(w.open)
}

// startRequests starts the requests that are ready, up to the maximum number at the same time.
func (w *writer) startRequests() {
	for len(w.ready) > 0 && w.running < w.concurrency() {
		r := w.ready[0]
		w.ready = w.ready[1:]
		requests, pauses := w.start()
		w.running++
		go r.perform(requests, pauses, w.call.Config, w.results)
	}
}
