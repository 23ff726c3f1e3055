package fault

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Fail answers the request with an error of the service, by its code, message and HTTP status.
func Fail(code, message string, status int) Effect {
	failed := Ending{Error: &awserr.Error{Code: code, Message: message, Status: status}}
	e := Effect{name: fmt.Sprintf("Error(%s)", code), on: anywhere, decides: true, apply: before(failed)}
	if status >= http.StatusInternalServerError {
		e.commit = after(failed)
	}
	if code == "" || status < http.StatusBadRequest || status > 599 {
		e.setup = fmt.Errorf("an error has a code, and a status from 400 to 599: this has %q and %d", code, status)
	}
	return e
}

// InternalError is the service's own failure, which leaves open whether the request was applied.
func InternalError() Effect {
	e := Fail(awserr.CodeInternal, awserr.Internal().Message, http.StatusInternalServerError)
	e.name = "InternalError"
	return e
}

// Unavailable is the service being away, which leaves open whether the request was applied.
func Unavailable() Effect {
	e := Fail("ServiceUnavailable", "The service is currently unavailable or busy.", http.StatusServiceUnavailable)
	e.name = "Unavailable"
	return e
}

// InProgress says that another attempt with the transaction's token is under way.
func InProgress() Effect {
	e := Fail("TransactionInProgressException", "The transaction with the given request token is already in progress.", http.StatusBadRequest)
	e.name, e.on = "InProgress", transactWrite
	return e
}

// ReplicatedWriteConflict says that another Region writes to the item.
func ReplicatedWriteConflict() Effect {
	e := Fail("ReplicatedWriteConflictException", "One or more items in this request are being modified by a request in another Region.", http.StatusBadRequest)
	e.name, e.on = "ReplicatedWriteConflict", writes
	return e
}

// ExpiredIterator says that a shard iterator is too old.
func ExpiredIterator() Effect {
	e := Fail("ExpiredIteratorException", "Iterator expired.", http.StatusBadRequest)
	e.name, e.on = "ExpiredIterator", records
	return e
}

// TrimmedData says that records are gone that the request would start at.
func TrimmedData() Effect {
	e := Fail("TrimmedDataAccessException", "The operation attempted to read past the oldest stream record in a shard.", http.StatusBadRequest)
	e.name, e.on = "TrimmedData", iterator|records
	return e
}

// Conflict says that a transaction works on the item: to a single write as an error, to a transaction as the reason of its cancellation, at the
// action that the rule speaks of, or at the first.
func Conflict() Effect {
	return refusal("Conflict", write|transacts, "TransactionConflictException", awserr.MessageConflict, "TransactionConflict")
}

// CollectionFull says that the item collection is at its limit of 10 GB: to a single write or a batch as an error, to a transaction as the
// reason of its cancellation.
func CollectionFull() Effect {
	return refusal("CollectionFull", writes, "ItemCollectionSizeLimitExceededException",
		awserr.MessageCollectionFull, "ItemCollectionSizeLimitExceeded")
}

// refusal is an error of single requests that stands among a transaction's reasons.
func refusal(name string, on class, code, message, reason string) Effect {
	return Effect{name: name, on: on, decides: true, apply: func(p *Plan, m *meeting) {
		if operations[m.Operation]&transacts == 0 {
			p.Before.Error = awserr.New(code, "%s", message)
			return
		}
		if len(m.targets) > 0 {
			cancel(p, m.targets[0], reason)
		}
	}}
}

// Cancel cancels a transaction; its i-th action, from 0, has the code.
func Cancel(i int, code string) Effect {
	e := Effect{name: fmt.Sprintf("Cancel(%s)", code), on: transacts,
		apply: func(p *Plan, _ *meeting) { cancel(p, i, code) },
		fits:  func(r *Request, _ []int) bool { return i < len(r.Targets) },
	}
	if i < 0 {
		e.setup = fmt.Errorf("a transaction has no action %d: they are counted from 0", i)
	}
	switch {
	case slices.Contains(writeReasons, code):
		e.on = transactWrite
	case !slices.Contains(reasons, code):
		e.setup = errors.Join(e.setup, Misnamed("cancellation reason", code, slices.Concat(reasons, writeReasons)))
	}
	return e
}

func cancel(p *Plan, i int, code string) {
	if p.Steer.Reasons == nil {
		p.Steer.Reasons = map[int]string{}
	}
	p.Steer.Reasons[i] = code
	p.asked |= engine.Canceled
}

var (
	writeReasons = []string{"ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded"}
	reasons      = []string{"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError", "ValidationError"}
)

func before(end Ending) func(*Plan, *meeting) { return func(p *Plan, _ *meeting) { p.Before = end } }

func after(end Ending) func(*Plan, *meeting) { return func(p *Plan, _ *meeting) { p.After = end } }
