package exec

import (
	"context"
	"errors"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// performAnew sends actions again that have failed, if they met an expired item on which they must
// begin anew, or a NULL that must count as absent. It deletes that item first, or removes the NULL.
// If the actions must be planned again, it does not send them.
func (c *Call) performAnew(ctx context.Context, actions []op.Action, token string, e *trestle.OpError) (rows core.Rows, _ *trestle.OpError) {
	for try := 1; e != nil && try < Replans; try++ {
		deleted, failed := c.deleteExpired(ctx)
		removed := false
		if failed == nil {
			removed, failed = c.removeNulls(ctx)
		}
		if failed != nil {
			return core.Rows{}, failed
		}
		if len(deleted) == 0 && !removed {
			break
		}
		if len(deleted) > 0 && c.forgetDeleted(deleted) {
			c.dropFailures(e, deleted)
			break
		}
		rows, e = c.perform(ctx, actions, token)
	}
	return rows, e
}

// deleteExpired deletes the expired items because of which the last request failed, if its actions
// must begin anew. It returns these actions. An item that another writer has changed or deleted
// meanwhile stays as it is. The deletion changes nothing that a read returns, so the operation
// counts as not applied until its own actions are, whether the item was deleted or not.
func (c *Call) deleteExpired(ctx context.Context) (deleted []failedAction, e *trestle.OpError) {
	for _, f := range c.failed {
		var failure *ConditionFailure
		if !f.act.Check.Anew || !errors.As(f.err.Err, &failure) || !failure.Expired {
			continue
		}
		act := deletion(f.act, failure.Existing)
		if e := c.cleanUp(ctx, &act); e != nil {
			return nil, e
		}
		deleted = append(deleted, f)
	}
	return deleted, nil
}

// cleanUp sends an action that changes nothing that a read returns. It does not count as applied. A
// failed condition is no error: another writer has changed the item.
func (c *Call) cleanUp(ctx context.Context, act *op.Action) *trestle.OpError {
	outcome := c.Outcome
	r := c.Config.action(ctx, act)
	recognize(act, &r)
	e := c.accountFor(act, &r)
	c.Outcome = outcome
	var failure *ConditionFailure
	if e == nil || errors.As(e.Err, &failure) {
		return nil
	}
	if e.Outcome == trestle.Unknown {
		e.Kind = nil
	}
	e.Outcome = outcome
	return e
}

// forgetDeleted reports whether all of these actions are planned from the items that are deleted
// now. They then count as actions that failed because there is no item.
func (c *Call) forgetDeleted(deleted []failedAction) bool {
	for _, f := range deleted {
		if len(f.act.Check.Planned) == 0 {
			return false
		}
	}
	for _, f := range deleted {
		var failure *ConditionFailure
		if errors.As(f.err.Err, &failure) {
			failure.Existing = nil
		}
	}
	return true
}

// dropFailures removes the failures of actions that only met an expired item from the error of a
// transaction, if other operations failed: such an action would succeed without them.
func (c *Call) dropFailures(e *trestle.OpError, deleted []failedAction) {
	var canceled *trestle.CanceledError
	if !errors.As(e.Err, &canceled) {
		return
	}
	others := slices.DeleteFunc(slices.Clone(c.failed), func(f failedAction) bool {
		return slices.ContainsFunc(deleted, func(d failedAction) bool { return d.act == f.act })
	})
	if failures := c.failures(others); len(failures) > 0 {
		canceled.Failures = failures
	}
}

// deletion returns the deletion of the expired item of an action, as long as it is the same item.
func deletion(act *op.Action, item op.Item) op.Action {
	ttl, typeAttr := act.Plan.TTL.Name, act.Plan.Schema.TypeAttr
	d := op.Action{
		Verb: op.Delete, Plan: act.Plan, Table: act.Table, Member: act.Member, Key: keyOf(act), Idempotent: true,
		Condition: "#t = :t", Names: map[string]string{"#t": ttl}, Values: op.Item{":t": item[ttl]},
	}
	if av := item[typeAttr]; av != nil && typeAttr != "" {
		d.Condition += " AND #k = :k"
		d.Names["#k"], d.Values[":k"] = typeAttr, av
	}
	return d
}
