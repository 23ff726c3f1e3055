package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// The codes of cancellation reasons. The SDK has no constants for them.
const (
	reasonNone      = "None"
	reasonCondition = "ConditionalCheckFailed"
)

// transact sends actions as a transaction, and adds the response to the statistics.
func (c *Call) transact(ctx context.Context, actions []op.Action, token string) (core.Rows, *trestle.OpError) {
	r := c.Config.transaction(ctx, actions, token)
	e := c.account(&r)
	if e == nil {
		return r.Rows, nil
	}
	var canceled *types.TransactionCanceledException
	if errors.As(r.err, &canceled) && len(canceled.CancellationReasons) == len(actions) && e.Outcome != trestle.Unknown {
		c.failed = c.failedActions(e, actions, canceled.CancellationReasons)
	}
	c.summarize(e, actions)
	return core.Rows{}, e
}

// failedAction is an action for which a transaction was canceled, or a single action that failed.
type failedAction struct {
	act    *op.Action
	member int // the member of the operation that failed
	err    *trestle.OpError
	code   string // of the cancellation reason; empty for a single action
}

// failedActions returns the actions for which a transaction was canceled. e is the error of the
// transaction.
func (c *Call) failedActions(e *trestle.OpError, actions []op.Action, reasons []types.CancellationReason) (failed []failedAction) {
	for i, reason := range reasons {
		act, code := &actions[i], aws.ToString(reason.Code)
		switch code {
		case reasonNone:
		case reasonCondition:
			for _, j := range act.Judge(reason.Item) {
				own := *e
				setConditionFailure(&own, act, reason.Item, j)
				members := j.Members
				if members == nil {
					members = []int{act.Member}
					own.Key = keyOfCaller(act)
				}
				for _, m := range members {
					failed = append(failed, failedAction{act: act, member: m, err: &own, code: code})
				}
			}
		default:
			own := *e
			own.Key, own.Hint = keyOfCaller(act), reasonHint(code, aws.ToString(reason.Message))
			failed = append(failed, failedAction{act: act, member: act.Member, err: &own, code: code})
		}
	}
	return failed
}

// keyOfCaller returns the key of an action on an item of the caller, and nil for an item that the
// library writes with it.
func keyOfCaller(act *op.Action) op.Item {
	if act.Guard != nil || act.Counts != "" {
		return nil
	}
	return keyOf(act)
}

// summarize completes the error of a transaction with the errors of its actions. The error of one
// operation is that of its most telling action. The error of several operations has a failure for
// each operation that failed.
func (c *Call) summarize(e *trestle.OpError, actions []op.Action) {
	failed := decided(c.failed)
	if c.members == nil {
		if e.Key == nil {
			e.Key = keyOf(&actions[0])
		}
		if f := mostTelling(failed, 0); f != nil {
			e.Kind, e.Hint, e.Err, e.Taken = f.err.Kind, f.err.Hint, f.err.Err, takenOf(failed, f)
			if f.err.Key != nil {
				e.Key = f.err.Key
			}
		}
		return
	}
	if failures := c.failures(failed); len(failures) > 0 {
		e.Err, e.Hint = &trestle.CanceledError{Failures: failures, Err: e.Err}, ""
	}
}

// failures returns a failure for each member with an action that failed.
func (c *Call) failures(failed []failedAction) (failures []trestle.Failure) {
	for i := range c.members {
		if f := mostTelling(failed, i); f != nil {
			own := c.memberError(i, f.err)
			own.Taken = takenOf(failed, f)
			failures = append(failures, trestle.Failure{Operation: i, Code: f.code, Err: own})
		}
	}
	return failures
}

// mostTelling returns the first action of a member whose conditional check failed, or else its
// first action that failed. The first action of a member is on its item. A condition that is false
// in any case tells more than one that depends on other operations.
func mostTelling(failed []failedAction, member int) (most *failedAction) {
	rank := -1
	for i := range failed {
		f := &failed[i]
		if f.member != member {
			continue
		}
		own := 0
		if verdict, _ := f.verdict(); f.err.Kind != nil && verdict == clause.Fail {
			own = 2
		} else if f.err.Kind != nil {
			own = 1
		}
		if own > rank {
			most, rank = f, own
		}
	}
	return most
}

// takenOf returns the unique values that other items have, if that is why the member of an action
// failed.
func takenOf(failed []failedAction, of *failedAction) (names []string) {
	if len(of.err.Taken) == 0 {
		return nil
	}
	for _, f := range failed {
		if f.member == of.member {
			names = append(names, f.err.Taken...)
		}
	}
	return names
}

// memberError returns an error as that of a member. Its key is that of the action that failed, if
// that is on an item of the caller.
func (c *Call) memberError(i int, e *trestle.OpError) *trestle.OpError {
	m, own := &c.members[i], *e
	own.Op, own.Table = m.Name, m.Table
	if own.Key == nil {
		own.Key = m.Key
	}
	if m.Plan != nil {
		own.Entity = m.Plan.Name
	}
	return &own
}

// pointers returns the pointers to actions.
func pointers(actions []op.Action) []*op.Action {
	list := make([]*op.Action, len(actions))
	for i := range actions {
		list[i] = &actions[i]
	}
	return list
}

// transaction sends actions as a transaction. Its token is the same in all attempts, so it is
// applied once.
func (c *Config) transaction(ctx context.Context, actions []op.Action, token string) Response {
	if actions[0].Verb == op.Get {
		_, r := send(ctx, c, trestle.Client.TransactGetItems, op.TransactGetInput(actions, c.Table), always, nil)
		return r
	}
	defer c.wroteAll(actions)
	if token == "" {
		var err error
		if token, err = c.Random.Text(); err != nil {
			return notStarted(err)
		}
	}
	in := op.TransactWriteInput(actions, c.Table, token)
	_, r := send(ctx, c, trestle.Client.TransactWriteItems, in, duringToken, c.itemWriter(in, pointers(actions)))
	r.writes, r.checksOnly = true, onlyChecks(actions)
	return r
}
