package batch

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// maxStalls is the number of consecutive requests that process nothing after which a batch stops.
const maxStalls = 8

// handle handles the result of a request, and reports the progress.
func (w *writer) handle(r *result) {
	w.running--
	if r.panicked != nil {
		panic(r.panicked) //nolint:forbidigo // it is the panic of the client
	}
	e := w.account(r)
	switch {
	case r.unsent != nil: // its entries stay pending
		w.stop(w.unsent(errs.Ended(r.unsent, w.retriedFor)))
	case !r.returned: // the client ended the goroutine
		w.failAll(r.entries, e)
		w.stop(e)
	case r.alone:
		w.handleSingle(r, e)
	default:
		w.handleBatch(r, e)
	}
	w.goesOn()
	if w.Progress != nil && r.unsent == nil {
		w.Progress(Progress{
			Consumed: w.consumed, Applied: w.call.Items, Failed: len(w.failures), Retried: w.retried,
			Requests: w.call.Requests, Capacity: w.call.Capacity,
		})
	}
}

// account adds a result to the statistics of the batch. It returns the error of the request, or
// nil.
func (w *writer) account(r *result) *trestle.OpError {
	var err error
	switch {
	case r.unsent != nil:
	case r.alone:
		w.call.Add(&r.event)
		err = r.err
	case r.returned:
		err = w.call.Account(&r.response)
		w.call.Outcome = trestle.NotApplied // of the batch, which has not ended
	}
	switch {
	case !r.returned:
		for _, e := range r.entries {
			e.lost = true
		}
		return w.call.Fail(exec.ErrAborted)
	case err == nil:
		return nil
	}
	return opError(err)
}

// handleSingle handles the result of a single write.
func (w *writer) handleSingle(r *result, e *trestle.OpError) {
	switch {
	case e == nil:
		w.applied(r.entries[0])
	case trestle.IsThrottled(e) && (e.Outcome == trestle.NotApplied || r.entries[0].token):
		w.retry(r, r.entries, e)
	default:
		if r.tries > 0 && w.retriedFor != nil && errors.Is(e.Err, context.DeadlineExceeded) { // the token may be forgotten
			own := *e
			own.Err, e = errs.Ended(e.Err, w.retriedFor), &own
		}
		w.failAll(r.entries, e)
		cause := *e
		if r.entries[0].token && errors.Is(e.Kind, errs.Unknown) {
			cause.Kind = nil
		}
		if !concernsOne(&cause) {
			w.stop(e)
		}
	}
}

// handleBatch handles the result of a BatchWriteItem request.
func (w *writer) handleBatch(r *result, e *trestle.OpError) {
	lost := r.response.Lost()
	for _, en := range r.entries {
		en.lost = en.lost || lost
	}
	switch {
	case e == nil:
		processed, left := r.split()
		w.call.Unprocessed += len(left)
		for _, en := range processed {
			w.applied(en)
		}
		if len(left) > 0 {
			w.retry(r, left, w.call.Fail(errStalled))
		}
	case trestle.IsThrottled(e):
		w.retry(r, r.entries, e)
	case e.Outcome == trestle.Unknown || !concernsOne(e):
		w.failAll(r.entries, e)
		w.stop(e)
	case len(r.entries) == 1:
		w.failAll(r.entries, e)
	default: // one of the writes is invalid: sent alone, each has an error of its own
		for _, en := range r.entries {
			w.ready = append(w.ready, &request{entries: []*entry{en}, alone: true})
		}
	}
}

// retry sends entries again after a pause. It stops the batch if too many requests in a row
// processed nothing.
func (w *writer) retry(r *result, left []*entry, e *trestle.OpError) {
	next := &request{entries: left, alone: r.alone, tries: r.tries + 1, stalls: r.stalls + 1, began: r.began}
	switch {
	case w.stopped != nil: // they stay pending
		return
	case len(left) < len(r.entries):
		next.stalls = 0
	case next.stalls >= maxStalls:
		w.failAll(left, e)
		w.stop(e)
		return
	}
	w.retried += len(left)
	w.retriedFor = e.Err
	w.ready = slices.Insert(w.ready, 0, next)
}

// applied ends an entry that was applied, and stamps its argument.
func (w *writer) applied(e *entry) {
	w.call.Items++
	w.retriedFor = nil
	if e.write.Stamp != nil {
		if err := e.write.Stamp(); err != nil {
			w.report(e, w.stampError(e, err))
		}
	}
	w.finish(e)
}
