package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// ConditionFailure is the error of an action whose conditional check failed. It wraps the SDK's
// error.
type ConditionFailure struct {
	Plan     *core.Plan
	Existing op.Item // the item for which the check failed; nil if there is none
	Expired  bool    // the item had expired, and counts as none
	judged   op.Judgement
	Err      error
}

// Error returns a text without any value of an item.
func (f *ConditionFailure) Error() string { return "the conditional check failed" }

// Reason returns why the check failed, or "" if the kind of the error says it.
func (f *ConditionFailure) Reason() string { return f.judged.Reason }

// Unwrap returns the SDK's error.
func (f *ConditionFailure) Unwrap() error { return f.Err }

// perform sends actions, and adds the response to the statistics: a single action as a request of
// its own, or a transaction. A transaction of the caller stays one if it has a single write,
// because its retries and its cost are those of a transaction.
func (c *Call) perform(ctx context.Context, actions []op.Action, token string) (core.Rows, *trestle.OpError) {
	c.failed = nil
	if err := op.Ready(actions); err != nil {
		return core.Rows{}, c.FailAt(soleKey(actions), err)
	}
	if op.Transacted(actions, token) || c.members != nil && actions[0].Verb != op.Get {
		return c.transact(ctx, actions, token)
	}
	act := &actions[0]
	if len(act.Elsewhere) > 0 {
		return c.find(ctx, act)
	}
	if c.Config.coalesced(act) {
		return c.Config.Coalescer.Get(ctx, c, act)
	}
	r := c.Config.action(ctx, act)
	recognize(act, &r)
	if e := c.accountFor(act, &r); e != nil {
		c.failed = []failedAction{{act: act, err: e}}
		return core.Rows{}, e
	}
	return r.Rows, nil
}

// recognize changes the response to a success if the conditional check failed because an earlier
// attempt of the same action was applied and its reply was lost. The item may have changed since.
func recognize(act *op.Action, r *Response) {
	if r.err == nil {
		return
	}
	var failed *types.ConditionalCheckFailedException
	if !errors.As(r.err, &failed) || !act.AppliedTo(failed.Item) {
		return
	}
	r.requestID, r.err = requestID(r.err), nil
	if act.Return != op.Nothing {
		r.Rows = core.OneRow(failed.Item)
	}
}

// accountFor adds the response to an action to the statistics.
func (c *Call) accountFor(act *op.Action, r *Response) *trestle.OpError {
	e := c.account(r)
	if e == nil {
		return nil
	}
	if e.Key == nil {
		e.Key = keyOf(act)
	}
	var failed *types.ConditionalCheckFailedException
	if e.Outcome != trestle.Unknown && errors.As(r.err, &failed) {
		setConditionFailure(e, act, failed.Item, act.Judge(failed.Item)[0])
	}
	return e
}

// setConditionFailure sets the meaning of an action's failed conditional check.
func setConditionFailure(e *trestle.OpError, act *op.Action, existing op.Item, j op.Judgement) {
	e.Kind, e.Hint = j.Kind, j.Cure
	if unique := act.Unique(); unique != "" {
		e.Taken = []string{unique}
	}
	e.Err = &ConditionFailure{Plan: act.Plan, Existing: existing, Expired: j.Expired, judged: j, Err: e.Err}
}

// action sends an action on one item.
func (c *Config) action(ctx context.Context, act *op.Action) Response {
	defer c.wrote(act)
	table, repeat := act.TableOr(c.Table), repetitionOf(act.Retryable())
	var r Response
	switch act.Verb {
	case op.Put:
		in := act.PutItemInput(table)
		_, r = send(ctx, c, trestle.Client.PutItem, in, repeat, c.itemWriter(in, []*op.Action{act}))
	case op.Update:
		_, r = send(ctx, c, trestle.Client.UpdateItem, act.UpdateItemInput(table), repeat, nil)
	case op.Delete:
		_, r = send(ctx, c, trestle.Client.DeleteItem, act.DeleteItemInput(table), repeat, nil)
	default:
		_, r = send(ctx, c, trestle.Client.GetItem, act.GetItemInput(table), repeat, nil)
		return r
	}
	r.writes = true
	return r
}

// keyOf returns the table's key of an action's item, or nil if it is unknown.
func keyOf(act *op.Action) op.Item {
	if act.Key != nil || act.Item == nil || act.Plan == nil {
		return act.Key
	}
	key, row := op.Item{}, act.KeyRow()
	for a := range act.Plan.Table.Attributes() {
		key[a.Name] = row.Attribute(a.Name)
	}
	return key
}

// soleKey returns the key of the only action, or nil if there are several.
func soleKey(actions []op.Action) op.Item {
	if len(actions) != 1 {
		return nil
	}
	return keyOf(&actions[0])
}
