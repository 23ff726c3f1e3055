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
	var wrong errs.Problems
	key, err := Key(p, example)
	wrong.AddErr("", err)
	old, err := versionOf(p, example)
	wrong.AddErr("", err)
	c := newConditions(p)
	switch {
	case old != 0:
		c.requireVersion(old)
	case len(conds) > 0:
		c.requireItem()
	}
	wrong.AddErr("", c.addConds(conds))
	// A missing item is reported as not found, not as stale, because it is already deleted.
	c.check.MustExist = old != 0 || len(conds) > 0
	idempotent := len(c.parts) == 0 && !ret.Old()
	c.requireType(errs.NotFound)
	act := op.Action{Verb: op.Delete, Plan: p, Key: key, Return: ret, Idempotent: idempotent}
	wrong.AddErr("", c.addTo(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, err
	}
	return op.Operation{Name: "delete", Plan: p, Primary: act}, nil
}
