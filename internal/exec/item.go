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
	Err      error
}

// Error returns a text without any value of an item.
func (f *ConditionFailure) Error() string { return "the conditional check failed" }

// Unwrap returns the SDK's error.
func (f *ConditionFailure) Unwrap() error { return f.Err }

// perform sends an action on one item and adds the response to the statistics.
func (c *Call) perform(ctx context.Context, act *op.Action) (core.Rows, *trestle.OpError) {
	r := c.Config.action(ctx, act)
	e := c.account(&r)
	if e == nil {
		return r.Rows, nil
	}
	e.Key = keyOf(act)
	var failed *types.ConditionalCheckFailedException
	if e.Outcome != trestle.Unknown && errors.As(r.err, &failed) {
		e.Kind, e.Hint = act.Check.Kind(failed.Item), act.Check.Cure(failed.Item)
		e.Err = &ConditionFailure{Plan: act.Plan, Existing: failed.Item, Err: r.err}
	}
	return core.Rows{}, e
}

// action sends an action on one item.
func (c *Config) action(ctx context.Context, act *op.Action) Response {
	table := act.Table
	if table == "" {
		table = c.Table
	}
	switch act.Verb {
	case op.Put:
		out, r := send(ctx, c, trestle.Client.PutItem, act.PutItemInput(table), act.Idempotent)
		if r.writes = true; out != nil {
			r.Rows = core.OneRow(out.Attributes)
			r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
		}
		return r
	case op.Update:
		out, r := send(ctx, c, trestle.Client.UpdateItem, act.UpdateItemInput(table), act.Idempotent)
		if r.writes = true; out != nil {
			r.Rows = core.OneRow(out.Attributes)
			r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
		}
		return r
	case op.Delete:
		out, r := send(ctx, c, trestle.Client.DeleteItem, act.DeleteItemInput(table), act.Idempotent)
		if r.writes = true; out != nil {
			r.Rows = core.OneRow(out.Attributes)
			r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
		}
		return r
	default:
		out, r := send(ctx, c, trestle.Client.GetItem, act.GetItemInput(table), act.Idempotent)
		if out != nil {
			r.Rows = core.OneRow(out.Item)
			r.setMeta(out.ResultMetadata, out.ConsumedCapacity)
		}
		return r
	}
}

// keyOf returns the table's key of an action's item, or nil if it is unknown.
func keyOf(act *op.Action) op.Item {
	if act.Key != nil || act.Item == nil || act.Plan == nil {
		return act.Key
	}
	key := op.Item{}
	for a := range act.Plan.Table.Attributes() {
		key[a.Name] = act.Item[a.Name]
	}
	return key
}
