package shard

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// ErrSoldOut reports that fewer are left of a [Bounded] than the number to take. It is an
// [trestle.ErrCondition] too.
var ErrSoldOut = errors.New("fewer are left than the number to take")

// The operations in errors and for observers.
const (
	opAdd         = "add"
	opFlush       = "flush"
	opTotal       = "total"
	opSnapshot    = "snapshot"
	opCached      = "cached total"
	opRollUp      = "roll up"
	opTop         = "top"
	opList        = "list names"
	opNames       = "names"
	opDrain       = "drain"
	opResize      = "resize"
	opGrow        = "grow"
	opShards      = "shards"
	opShardValues = "shard values"
	opDelete      = "delete counter"
	opEvents      = "events"
	opTake        = "take"
	opReturn      = "return"
	opLeft        = "left"
	opSetLimit    = "set limit"
	opTaken       = "taken"
)

// reads are the operations that are no writes.
var reads = map[string]bool{
	opTotal: true, opSnapshot: true, opCached: true, opTop: true, opNames: true, opShards: true, opShardValues: true, opEvents: true, opLeft: true, opTaken: true,
}

// failed returns the error of an operation that failed because of err, which is not DynamoDB's; nil
// stays nil. A write was not applied.
func (c *Counters) failed(operation string, err error) error {
	if err == nil {
		return nil
	}
	e := &trestle.OpError{Op: operation, Entity: c.family, Outcome: trestle.NotApplied}
	if reads[operation] {
		e.Outcome = trestle.NoWrite
	}
	e.Kind, e.Err = errs.Classify(err)
	if c.exec != nil {
		e.Table = c.exec.Table
	}
	return e
}

// The fixes for an error of a request before the write.
const (
	nothingWritten = "a request before the write failed, so the write was not sent: repeat the call"
	sameKey        = "repeat the call with the same key to learn whether an earlier one was applied"
)

// withOutcome returns an error of DynamoDB as that of a call with another outcome. It is ErrUnknown
// only if the outcome is unknown.
func withOutcome(err error, outcome trestle.Outcome) error {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		return err
	}
	own := *e
	own.Outcome = outcome
	switch known := outcome != trestle.Unknown; {
	case !known:
		own.Kind = errs.Unknown
	case errors.Is(own.Kind, errs.Unknown):
		own.Kind = nil
	}
	if outcome == trestle.NotApplied && own.Kind == nil && own.Hint == "" {
		own.Hint = nothingWritten
	}
	return &own
}

// unlessApplied returns the error of a call that was not applied, but may repeat an earlier one
// with the same key. That one may have been applied, so the outcome is unknown. The mistakes of a
// caller are those of each call.
func unlessApplied(err error) error {
	if err == nil || trestle.OutcomeOf(err) != trestle.NotApplied || errors.Is(err, errs.Invalid) {
		return err
	}
	err = withOutcome(err, trestle.Unknown)
	var e *trestle.OpError
	if errors.As(err, &e) && (e.Hint == "" || e.Hint == nothingWritten) {
		e.Hint = sameKey // of the copy that withOutcome made
	}
	return err
}

// unknown returns the error of a write whose outcome cannot be learned.
func (c *Counters) unknown(operation, reason, hint string, cause error) error {
	err := &errs.ValidationError{Kind: errs.Unknown, Problems: []errs.Problem{{Reason: reason, Hint: hint, Cause: cause}}}
	return withOutcome(c.failed(operation, err), trestle.Unknown)
}

// cause returns the error of DynamoDB that an error wraps, or nil.
func cause(err error) error {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api
	}
	return nil
}

// unwrapped returns what an error of this package wraps. The transaction wraps it again.
func unwrapped(err error) error {
	var e *trestle.OpError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// refusal returns an error of a kind.
func refusal(kind error, reason, hint string) error {
	return &errs.ValidationError{Kind: kind, Problems: []errs.Problem{{Reason: reason, Hint: hint}}}
}

var (
	errNoCounters = errs.New("", "the counters are nil or zero", "make them with shard.NewCounters")
	errNoKey      = errs.New("", "the increment has no key", "give the option Once with a key of the caller's request, such as its ID")
	errKeyUsed    = refusal(errs.Condition, "the key was counted with another number", "use a key for one increment only")
	errResized    = refusal(errs.Stale, "the counter is resized or drained again and again", "repeat the call")
)

// unmet is an action whose condition failed.
type unmet struct {
	failed bool
	item   op.Item // for which the condition failed; nil: there is none
}

// unmetConditions returns the actions of a request whose condition failed: of a single write, or of
// a transaction of n actions. canceled is false if the request did not fail because of its
// conditions only.
func unmetConditions(err error, n int) (list []unmet, canceled bool) {
	list = make([]unmet, n)
	var one *types.ConditionalCheckFailedException
	if errors.As(err, &one) && n == 1 {
		list[0] = unmet{true, one.Item}
		return list, true
	}
	var several *types.TransactionCanceledException
	if !errors.As(err, &several) || len(several.CancellationReasons) != n {
		return list, false
	}
	for i, r := range several.CancellationReasons {
		if aws.ToString(r.Code) == "ConditionalCheckFailed" {
			list[i], canceled = unmet{true, r.Item}, true
		}
	}
	return list, canceled
}
