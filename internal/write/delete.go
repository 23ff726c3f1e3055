package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// Delete plans the deletion of an item by its key. If the example has a version, the item must have
// the same version. With a version or conditions, the item must exist, even if the conditions hold
// without an item. Otherwise, deleting an item that does not exist succeeds.
func Delete(p *core.Plan, example codec.Ptr, conds []*expr.Cond, ret op.Return) (op.Operation, error) {
	return planByKey("delete", op.Action{Verb: op.Delete, Plan: p, Return: ret}, example, conds, len(conds) > 0)
}

// Check plans a condition check of an item by its key, for a transaction. The item must exist. If
// the example has a version, the item must have the same version.
func Check(p *core.Plan, example codec.Ptr, conds []*expr.Cond) (op.Operation, error) {
	return planByKey("check", op.Action{Verb: op.Check, Plan: p}, example, conds, true)
}

// planByKey completes an action that has a key and a condition only. If mustExist is true or the
// example has a version, the item must exist.
func planByKey(name string, act op.Action, example codec.Ptr, conds []*expr.Cond, mustExist bool) (op.Operation, error) {
	var wrong errs.Problems
	key, err := Key(act.Plan, example)
	wrong.AddErr("", err)
	version, err := versionOf(act.Plan, example)
	wrong.AddErr("", err)
	c := newConditions(act.Plan)
	switch {
	case version != 0:
		c.requireVersion(version)
	case mustExist:
		c.requireItem()
	}
	wrong.AddErr("", c.addConds(conds))
	// A missing item is reported as not found, not as stale.
	c.check.MustExist = mustExist || version != 0
	act.Key, act.Idempotent = key, act.Verb == op.Check || len(c.parts) == 0 && !op.ReturnsOld(act.Return)
	c.requireType(errs.NotFound)
	wrong.AddErr("", c.addTo(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, err
	}
	return operation(name, act), nil
}
