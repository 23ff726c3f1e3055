package exec

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

// deleteExpired deletes the expired items because of which the last request failed, if its actions
// must begin anew. It returns false if there are none. An item that another writer has changed or
// deleted meanwhile stays as it is. The deletion changes nothing that a read returns, so the
// operation counts as not applied until its own actions are.
func (c *Call) deleteExpired(ctx context.Context) (deleted bool, e *trestle.OpError) {
	for _, f := range c.failed {
		var failure *ConditionFailure
		if !f.act.Check.Anew || !errors.As(f.err.Err, &failure) || !failure.Expired {
			continue
		}
		act := deletion(f.act, failure.Existing)
		outcome := c.Outcome
		r := c.Config.action(ctx, &act)
		recognize(&act, &r)
		e := c.accountFor(&act, &r)
		c.Outcome = outcome
		if e != nil && !errors.As(e.Err, &failure) {
			return false, e
		}
		deleted = true
	}
	return deleted, nil
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
