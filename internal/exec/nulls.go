package exec

import (
	"context"
	"errors"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// removeNulls removes the NULLs because of which the last request failed: to its actions, NULL is
// no value, but to DynamoDB it is one. It reports whether there were any. A read returns the same
// with and without NULL, so the operation counts as not applied until its own actions are.
func (c *Call) removeNulls(ctx context.Context) (removed bool, e *trestle.OpError) {
	for _, f := range c.failed {
		var failure *ConditionFailure
		if !errors.As(f.err.Err, &failure) || failure.Expired || !errors.Is(f.err.Kind, errs.Condition) {
			continue
		}
		places := f.act.Check.Nulls(failure.Existing)
		if len(places) == 0 {
			continue
		}
		act := removal(f.act, places)
		if e := c.cleanUp(ctx, &act); e != nil {
			return false, e
		}
		removed = true
	}
	return removed, nil
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
