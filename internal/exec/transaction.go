package exec

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
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
	if errors.As(r.err, &canceled) && len(canceled.CancellationReasons) == len(actions) {
		c.addReasons(e, actions, canceled)
	}
	e.Key = soleKey(actions)
	return core.Rows{}, e
}

// transaction sends actions as a transaction. Its token is the same in all attempts, so it is
// applied once.
func (c *Config) transaction(ctx context.Context, actions []op.Action, token string) Response {
	if actions[0].Verb == op.Get {
		out, r := send(ctx, c, trestle.Client.TransactGetItems, op.TransactGetInput(actions, c.Table), always)
		if out != nil {
			items := make([]op.Item, len(out.Responses))
			for i := range items {
				items[i] = out.Responses[i].Item
			}
			r.Rows = core.NewRows(items)
			r.setMeta(out.ResultMetadata, nil)
			r.capacity = out.ConsumedCapacity
		}
		return r
	}
	if token == "" {
		token = rand.Text()
	}
	out, r := send(ctx, c, trestle.Client.TransactWriteItems, op.TransactWriteInput(actions, c.Table, token), duringToken)
	r.checksOnly = !slices.ContainsFunc(actions, func(a op.Action) bool { return a.Verb != op.Check })
	if r.writes = true; out != nil {
		r.setMeta(out.ResultMetadata, nil)
		r.capacity = out.ConsumedCapacity
	}
	return r
}

// addReasons adds the reasons of a canceled transaction to its error. The reason of a single action
// is that of the transaction.
func (c *Call) addReasons(e *trestle.OpError, actions []op.Action, canceled *types.TransactionCanceledException) {
	if len(actions) == 1 {
		setReason(e, &actions[0], canceled.CancellationReasons[0])
		return
	}
	all := &Cancellation{Err: e.Err}
	for i, reason := range canceled.CancellationReasons {
		if aws.ToString(reason.Code) == reasonNone {
			continue
		}
		act := &actions[i]
		failure := &trestle.OpError{
			Op: e.Op, Table: act.TableOr(e.Table), Outcome: e.Outcome, Attempts: e.Attempts, Key: keyOf(act), Kind: e.Kind, Err: e.Err,
			RequestID: e.RequestID,
		}
		if act.Plan != nil {
			failure.Entity = act.Plan.Name
		}
		setReason(failure, act, reason)
		all.Failures = append(all.Failures, ActionFailure{Action: i, Err: failure})
	}
	e.Err = all
}

// setReason sets the kind and the hint of an action's error to those of its cancellation reason. If
// the outcome is unknown, an earlier attempt may have been applied, so the reason proves nothing.
func setReason(e *trestle.OpError, act *op.Action, reason types.CancellationReason) {
	switch code := aws.ToString(reason.Code); {
	case e.Outcome == trestle.Unknown:
	case code == reasonCondition:
		setConditionFailure(e, act, reason.Item)
	default:
		e.Hint = reasonHint(code, aws.ToString(reason.Message))
	}
}

// Cancellation is the error of a transaction of several actions that DynamoDB canceled. It wraps
// the errors of the actions that failed and the SDK's error.
type Cancellation struct {
	Failures []ActionFailure
	Err      error
}

// ActionFailure is the error of one action of a transaction.
type ActionFailure struct {
	Action int // its index
	Err    *trestle.OpError
}

// Error returns a text without any value of an item.
func (c *Cancellation) Error() string { return "the transaction was canceled" }

// Unwrap returns the errors of the actions, and the SDK's error.
func (c *Cancellation) Unwrap() []error {
	list := make([]error, 0, len(c.Failures)+1)
	for _, f := range c.Failures {
		list = append(list, f.Err)
	}
	return append(list, c.Err)
}
