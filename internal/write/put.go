package write

import (
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// PutArgs are the arguments of puts. Entity is a copy that the plan may modify.
type PutArgs struct {
	Plan   *core.Plan
	Entity codec.Ptr
	Conds  []*expr.Cond
	Now    time.Time
	Return op.Return
}

// Create plans a put of an item that must not exist. A versioned item gets version 1.
func Create(a PutArgs) (op.Operation, Stamps, error) {
	return a.plan("create", 0, func(c *conditions) op.ConditionCheck {
		c.requireNoItem()
		return op.ConditionCheck{MustNotExist: true}
	})
}

// Put plans the replacement of an item. For a versioned type, the item must have the entity's
// version. Version 0 matches no item, or an item stored before its type had a version.
func Put(a PutArgs) (op.Operation, Stamps, error) {
	old, err := versionOf(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	return a.plan("put", old, func(c *conditions) op.ConditionCheck {
		switch {
		case a.Plan.Version == nil:
			return op.ConditionCheck{}
		case old == 0:
			return c.requireNoVersion()
		default:
			return c.requireVersion(old)
		}
	})
}

// plan stamps the entity with the version after old and returns a put of it, with the conditions of
// require and of the caller.
func (a PutArgs) plan(name string, old int64, require func(*conditions) op.ConditionCheck) (op.Operation, Stamps, error) {
	stamps, err := setPutRoles(a.Plan, a.Entity, old, a.Now)
	if err != nil {
		return op.Operation{}, stamps, err
	}
	var wrong errs.Problems
	item, err := Item(a.Plan, a.Entity)
	wrong.AddErr("", err)
	c := newConditions(a.Plan)
	why := require(c)
	wrong.AddErr("", c.addCallers(a.Conds))
	safe := len(c.parts) == 0 && !a.Return.Old()
	c.requireType(&why, errs.Exists)
	act := op.Action{Verb: op.Put, Plan: a.Plan, Item: item, Return: a.Return, Check: why, Idempotent: safe}
	wrong.AddErr("", c.setIn(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, stamps, err
	}
	return op.Operation{Name: name, Plan: a.Plan, Primary: act}, stamps, nil
}
