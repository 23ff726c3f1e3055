package fault

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Error fails the request with an error of the service.
func Error(code, message string, status int) Effect {
	failed := Response{Error: &awserr.Error{Code: code, Message: message, Status: status}}
	e := Effect{name: fmt.Sprintf("Error(%s, %d)", code, status), operations: allOperations, endsRequest: true, apply: respondInstead(failed)}
	if status >= http.StatusInternalServerError {
		e.applyAfter = respondAfter(failed)
	}
	if code == "" || status < http.StatusBadRequest || status > 599 {
		e.err = fmt.Errorf("%s: the code is empty or the status is not from 400 to 599", e.name)
	}
	return e
}

// InternalError is an internal failure of the service. It leaves open whether the request was
// applied.
func InternalError() Effect {
	e := Error(awserr.CodeInternal, awserr.Internal().Message, http.StatusInternalServerError)
	e.name = "InternalError"
	return e
}

// Unavailable is an outage of the service. It leaves open whether the request was applied.
func Unavailable() Effect {
	e := Error("ServiceUnavailable", "The service is currently unavailable or busy.", http.StatusServiceUnavailable)
	e.name = "Unavailable"
	return e
}

// InProgress is the error that another attempt with the same transaction token is running.
func InProgress() Effect {
	e := Error("TransactionInProgressException", "The transaction with the given request token is already in progress.", http.StatusBadRequest)
	e.name, e.operations = "InProgress", transactWrite
	return e
}

// ReplicatedWriteConflict is the error that another Region is writing to the item.
func ReplicatedWriteConflict() Effect {
	e := Error("ReplicatedWriteConflictException", "One or more items in this request are being modified by a request in another Region.", http.StatusBadRequest)
	e.name, e.operations = "ReplicatedWriteConflict", writes
	return e
}

// ExpiredIterator is the error that a shard iterator is too old.
func ExpiredIterator() Effect {
	e := Error("ExpiredIteratorException", "Iterator expired.", http.StatusBadRequest)
	e.name, e.operations = "ExpiredIterator", records
	return e
}

// TrimmedData is the error that the records at the requested position were trimmed.
func TrimmedData() Effect {
	e := Error("TrimmedDataAccessException", "The operation attempted to read past the oldest stream record in a shard.", http.StatusBadRequest)
	e.name, e.operations = "TrimmedData", iterator|records
	return e
}

// Conflict is a conflict with a transaction on the item. It is an error of a single write, and the
// cancellation reason of a transaction at the first action that the rule matches.
func Conflict() Effect {
	return errorOrCancellation("Conflict", write|transactions, "TransactionConflictException", awserr.MessageConflict, "TransactionConflict")
}

// CollectionFull is an item collection at its limit of 10 GB. It is an error of a single write or a
// batch, and the cancellation reason of a transaction.
func CollectionFull() Effect {
	return errorOrCancellation("CollectionFull", writes, "ItemCollectionSizeLimitExceededException",
		awserr.MessageCollectionFull, "ItemCollectionSizeLimitExceeded")
}

// errorOrCancellation returns an effect that is an error of single requests and a cancellation
// reason of transactions.
func errorOrCancellation(name string, on operationSet, code, message, reason string) Effect {
	return Effect{name: name, operations: on, endsRequest: true, apply: func(p *Plan, m *match) {
		if m.class()&transactions == 0 {
			p.Before.Error = awserr.New(code, "%s", message)
			return
		}
		if len(m.targets) > 0 {
			cancel(p, m.targets[0], reason)
		}
	}}
}

// Cancel cancels a transaction with the code at the i-th action, counted from 0.
func Cancel(i int, code string) Effect {
	e := Effect{name: fmt.Sprintf("Cancel(%d, %s)", i, code), operations: transactions,
		apply:      func(p *Plan, _ *match) { cancel(p, i, code) },
		applicable: func(r *Request, _ []int) bool { return i < len(r.Targets) },
	}
	if i < 0 {
		e.err = fmt.Errorf("%s: actions are counted from 0", e.name)
	}
	switch {
	case slices.Contains(writeReasons, code):
		e.operations = transactWrite
	case !slices.Contains(reasons, code):
		e.err = errors.Join(e.err, UnknownName("cancellation reason", code, slices.Concat(reasons, writeReasons)))
	}
	return e
}

func cancel(p *Plan, i int, code string) {
	if p.Overrides.Reasons == nil {
		p.Overrides.Reasons = map[int]string{}
	}
	p.Overrides.Reasons[i] = code
	p.overrides |= engine.OverrideReasons
}

var (
	writeReasons = []string{"ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded"}
	reasons      = []string{"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError", "ValidationError"}
)

func respondInstead(end Response) func(*Plan, *match) {
	return func(p *Plan, _ *match) { p.Before = end }
}

func respondAfter(end Response) func(*Plan, *match) { return func(p *Plan, _ *match) { p.After = end } }
