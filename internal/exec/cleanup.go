package exec

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// cleanUp deletes the expired items and removes the NULLs because of which the last request failed:
// to its actions they are absent, to DynamoDB they are not. What another writer has changed
// meanwhile stays as it is. No read returns anything else after it, so the operation counts as not
// applied until its own actions are, whether it was cleaned up or not.
func (c *Call) cleanUp(ctx context.Context) *trestle.OpError {
	for i, f := range c.failed {
		var failure *ConditionFailure
		if !errors.As(f.err.Err, &failure) || i > 0 && c.failed[i-1].act == f.act { // of another member
			continue
		}
		var act op.Action
		switch failure.judged.Then {
		case clause.Bury:
			act = deletion(f.act, failure.Existing)
		case clause.Unset:
			act = removal(f.act, clause.Nulls(f.act.Clauses, failure.Existing))
		default:
			continue
		}
		outcome := c.Outcome
		r := c.Config.action(ctx, &act)
		recognize(&act, &r)
		e := c.accountFor(&act, &r)
		c.Outcome = outcome
		if e != nil && !errors.As(e.Err, &failure) {
			if e.Outcome == trestle.Unknown {
				e.Kind = nil
			}
			if e.Hint == sameToken {
				e.Hint = ""
			}
			e.Outcome = outcome
			return e
		}
	}
	return nil
}

// deletion returns the deletion of the expired item of an action, as long as it is the same item.
func deletion(act *op.Action, item op.Item) op.Action {
	d := op.Action{Verb: op.Delete, Plan: act.Plan, Table: act.Table, Member: act.Member, Key: keyOf(act), Idempotent: true}
	ttl, typeAttr := act.Plan.TTL.Name, act.Plan.Schema.TypeAttr
	d.Require(same(clause.Value(ttl, item[ttl])))
	if av := item[typeAttr]; av != nil && typeAttr != "" {
		d.Require(same(clause.Value(typeAttr, av)))
	}
	return d
}

// removal returns an update that removes the NULLs at some places of an action's item, as long as
// they are NULL.
func removal(act *op.Action, places []*core.BoundPath) op.Action {
	r := op.Action{Verb: op.Update, Plan: act.Plan, Table: act.Table, Member: act.Member, Key: keyOf(act), Idempotent: true}
	for _, at := range places {
		r.Change().Change(expr.Remove, at, nil)
		r.Require(same(clause.IsNull{At: at}))
	}
	return r
}

// same returns a clause of the condition that an item is still the same.
func same(p clause.Pred) clause.Clause {
	return clause.Clause{Pred: p, Fails: errs.Condition, Rank: clause.Called}
}
