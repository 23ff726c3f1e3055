package lock

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// The sentinel errors of locks, in addition to those of package trestle.
var (
	// ErrHeld reports that another holder has the lock.
	ErrHeld = errs.Held
	// ErrLost reports that a lease is over: another holder acquired the lock since, the lease was
	// released, or it ended while [Locks.Do] or [Locks.TryDo] kept it.
	ErrLost = errs.Lost
)

// The operations in errors and for observers.
const (
	opAcquire = "acquire"
	opRenew   = "renew"
	opRelease = "release"
	opHeld    = "check lock"
	opRead    = "read lock"
)

var (
	errNoLocks = errs.New("", "the locks are nil or zero", "make them with lock.New")
	errNoLease = errs.New("", "the lease is nil or zero", "get it from Acquire, TryAcquire, Do or TryDo")
	errEnded   = &errs.ValidationError{Kind: ErrLost, Problems: []errs.Problem{{Reason: "the lease ended before it was renewed", Hint: "give a longer Lease"}}}
	errNoFunc  = errs.New("", "the function is nil", "give the function that needs the lock")
)

// failed returns the error of an operation that failed because of err, which is not DynamoDB's; nil
// stays nil. A write was not applied.
func (l *Locks) failed(operation string, err error) error {
	if err == nil {
		return nil
	}
	e := &trestle.OpError{Op: operation, Entity: l.family, Outcome: trestle.NotApplied}
	if operation == opRead {
		e.Outcome = trestle.NoWrite
	}
	e.Kind, e.Err = errs.Classify(err)
	if l.exec != nil {
		e.Table = l.exec.Table
	}
	return e
}

// refused returns an error of a conditional check with another kind. The write has no effect on a
// lease, whether or not an earlier attempt was applied.
func refused(err, kind error) error {
	var e *trestle.OpError
	if !errors.As(err, &e) {
		return err
	}
	own := *e
	own.Kind, own.Outcome, own.Hint = kind, trestle.NotApplied, ""
	return &own
}

// lost returns the error of a lease that has ended, because its renewals failed with err. It is nil
// if none has failed.
func (l *Locks) lost(err error) error {
	if e := refused(err, ErrLost); errors.Is(e, ErrLost) {
		return e
	}
	return l.failed(opRenew, errEnded)
}

// unmet returns the item for which a conditional check failed. It returns false for any other
// error.
func unmet(err error) (op.Item, bool) {
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		return nil, false
	}
	return failed.Item, true
}
