package batch

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// maxFailures is the number of failures after which a batch stops.
const maxFailures = 1000

var (
	errStalled = &errs.ValidationError{Problems: []errs.Problem{{
		Reason: "the service left writes unprocessed, eight times in a row",
		Hint:   "the table is throttled: retry later, spread the load, or raise the capacity",
		Cause:  errs.Unprocessed,
	}}}
	errTooMany = &errs.ValidationError{Problems: []errs.Problem{{
		Reason: fmt.Sprintf("%d writes failed, so the batch stopped", maxFailures),
		Hint:   "the failures of the error list them",
	}}}
)

// concernsOne reports whether an error of a request is about its items, so that other requests may
// succeed.
func concernsOne(e *trestle.OpError) bool {
	var api smithy.APIError
	return e.Kind != nil || errors.As(e.Err, &api) && aboutItems[api.ErrorCode()]
}

// aboutItems are the codes of errors that are about the items of a request.
var aboutItems = map[string]bool{
	"ValidationException":                      true,
	"ItemCollectionSizeLimitExceededException": true,
	"TransactionCanceledException":             true,
	"TransactionInProgressException":           true,
	"IdempotentParameterMismatchException":     true,
	"TransactionConflictException":             true,
	"ReplicatedWriteConflictException":         true,
}

// opError returns an error as the error of an operation.
func opError(err error) *trestle.OpError {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		e = &trestle.OpError{Outcome: trestle.Unknown, Kind: errs.Unknown, Err: err}
	}
	return e
}

// errorOf returns an error of a request as the error of one of its entries.
func (w *writer) errorOf(en *entry, e *trestle.OpError) *trestle.OpError {
	own := *e
	own.Table, own.Key = en.table, en.key()
	if en.plan != nil {
		own.Entity = en.plan.Name
	}
	if en.lost {
		own.Outcome, own.Kind = trestle.Unknown, errs.Unknown
	}
	return &own
}

// stampError returns the error of an entry that was applied, but whose argument was not stamped.
func (w *writer) stampError(en *entry, err error) *trestle.OpError {
	e := w.call.Fail(errs.Undecodable(err))
	e.Outcome, e.Table, e.Key, e.Entity = trestle.Applied, en.table, en.key(), en.plan.Name
	return e
}

// unsent returns an error that no request has. The requests of the batch before it were others, so
// it has no request ID.
func (w *writer) unsent(err error) *trestle.OpError {
	e := w.call.Fail(err)
	e.RequestID = ""
	return e
}

// failAll ends the entries of a request that failed.
func (w *writer) failAll(entries []*entry, e *trestle.OpError) {
	for _, en := range entries {
		w.fail(en, w.errorOf(en, e))
	}
}

// fail ends an entry that failed.
func (w *writer) fail(en *entry, e *trestle.OpError) {
	if w.report(en, e); len(w.failures) >= maxFailures {
		w.stop(w.unsent(errTooMany))
	}
	w.finish(en)
}

func (w *writer) report(en *entry, e *trestle.OpError) {
	argument := en.argument // not the whole entry, which holds the item
	w.failures = append(w.failures, trestle.BatchFailure{Index: en.index, Argument: func() any { return argument }, Err: e})
}

// reportPending reports the entries that were not sent, or not sent again, before the batch
// stopped.
func (w *writer) reportPending() {
	if len(w.pending) == 0 {
		return
	}
	e := w.unsent(&errs.ValidationError{Problems: []errs.Problem{{
		Reason: "the batch stopped before the write was applied", Cause: w.stopped.Err,
	}}})
	for _, i := range slices.Sorted(maps.Keys(w.pending)) {
		own := w.errorOf(w.pending[i], e)
		if w.pending[i].token {
			own.Outcome, own.Kind = trestle.Unknown, errs.Unknown
		}
		w.report(w.pending[i], own)
	}
}

// result returns the error of the batch, or nil.
func (w *writer) result() error {
	if w.stopped == nil && len(w.failures) == 0 {
		return nil
	}
	slices.SortFunc(w.failures, func(a, b trestle.BatchFailure) int { return cmp.Compare(a.Index, b.Index) })
	var left []any
	unknown := false
	for _, f := range w.failures {
		outcome := trestle.OutcomeOf(f.Err)
		unknown = unknown || outcome == trestle.Unknown
		if outcome != trestle.Applied {
			left = append(left, f.Argument())
		}
	}
	reason := w.reason()
	switch {
	case unknown:
		reason.Outcome, reason.Kind = trestle.Unknown, errs.Unknown
	case w.stopped == nil && len(left) == 0:
		reason.Outcome = trestle.Applied
	}
	return &trestle.UnprocessedError{Items: func() []any { return left }, Err: reason, Failures: w.failures, Consumed: w.consumed}
}

// reason returns why the batch stopped, or that some of its writes failed. The request ID is that
// of the first failure, if it was sent.
func (w *writer) reason() *trestle.OpError {
	if w.stopped == nil {
		first := *opError(w.failures[0].Err)
		id := first.RequestID
		first.RequestID = "" // the text has it once, at its end
		text := "a write failed: " + first.Error()
		if n := len(w.failures); n > 1 {
			text = fmt.Sprintf("%d writes failed, the first: %v", n, first)
		}
		e := w.unsent(&errs.ValidationError{Problems: []errs.Problem{{Reason: text}}})
		e.Kind, e.RequestID = w.commonKind(), id
		return e
	}
	return &trestle.OpError{
		Op: w.call.Operation, Entity: w.call.Entity, Table: w.call.Table, Outcome: trestle.NotApplied, Attempts: w.call.Attempts,
		Err: w.stopped.Err, Hint: w.stopped.Hint, RequestID: w.stopped.RequestID,
	}
}

// commonKind returns the sentinel error of all failures, or nil if they have different ones.
func (w *writer) commonKind() error {
	kind := opError(w.failures[0].Err).Kind
	for _, f := range w.failures[1:] {
		if !errors.Is(opError(f.Err).Kind, kind) {
			return nil
		}
	}
	return kind
}
