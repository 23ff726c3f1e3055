package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Delete plans the removal of an item by its key. A version in the example is checked. With a version or
// conditions the item must be there, also where the conditions hold of no item; without, one that is not
// there is no failure.
func Delete(p *core.Plan, example codec.Ptr, conds []*expr.Cond, ret op.Return) (op.Operation, error) {
	var wrong fail.Problems
	key, err := Key(p, example)
	wrong.Because("", err)
	old, err := versionOf(p, example)
	wrong.Because("", err)
	c := newConditions(p)
	var why op.Why
	switch {
	case old != 0:
		why = c.version(old)
	case len(conds) > 0:
		c.exists()
	}
	wrong.Because("", c.add(conds))
	why.MustExist = old != 0 || len(conds) > 0 // an item that is gone is not found, rather than stale: it is as the caller wants it
	safe := len(c.parts) == 0 && !ret.Old()
	c.ofType(&why, fail.NotFound)
	act := op.Action{Verb: op.Delete, Plan: p, Key: key, Return: ret, Why: why, Idempotent: safe}
	wrong.Because("", c.into(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, err
	}
	return op.Operation{Name: "delete", Plan: p, Primary: act}, nil
}
