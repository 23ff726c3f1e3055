package exec

import (
	"context"
	"errors"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
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
		switch failure.judged.Verdict {
		case op.Dead:
			act = deletion(f.act, failure.Existing)
		case op.Null:
			act = removal(f.act, f.act.Check.Nulls(failure.Existing))
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

// removal returns an update that removes the NULLs at some places of an action's item, as long as
// they are NULL.
func removal(act *op.Action, places []*core.BoundPath) op.Action {
	b := expr.NewBuilder()
	paths, conditions := make([]string, len(places)), make([]string, len(places))
	for i, at := range places {
		paths[i] = b.Path(at)
		conditions[i] = b.IsNull(expr.Eq, at)
	}
	return op.Action{
		Verb: op.Update, Plan: act.Plan, Table: act.Table, Member: act.Member, Key: keyOf(act), Idempotent: true,
		Update: "REMOVE " + strings.Join(paths, ", "), Condition: strings.Join(conditions, " AND "),
		Names: b.Names(), Values: b.Values(),
	}
}
