package write

import (
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// Delete plans the deletion of an item by its key. If the example has a version, the item must have
// the same version. With a version or conditions, the item must exist, even if the conditions hold
// without an item, and must not have expired. Otherwise, deleting an item that does not exist or
// has expired succeeds. For a type with companions, the plan reads the item first.
func Delete(p *core.Plan, example codec.Ptr, conds []*expr.Cond, ret op.Return, expiry core.Expiry) (op.Operation, error) {
	d := deletion{act: op.Action{Verb: op.Delete, Plan: p, Return: ret}, example: example, conds: conds, mustExist: len(conds) > 0, expiry: expiry}
	return d.operation()
}

// operation plans the deletion. For a type with companions, it reads the item first.
func (d deletion) operation() (op.Operation, error) {
	p := d.act.Plan
	o, err := d.plan("delete", func(*conditions) {})
	if err != nil || !p.Companions() {
		return o, err
	}
	key := o.Actions[0].Key
	return op.Operation{Name: o.Name, Plan: p, PreRead: &op.PreRead{
		Reads: []op.Action{readBefore(p, key, companionAttributes(p), d.expiry)},
		Slots: slots(p),
		Plan:  func(stored []op.Item) ([]op.Action, error) { return d.afterRead(key, stored) },
	}}, nil
}

// afterRead plans the deletion of the item that was read, and the change of its companions.
func (d deletion) afterRead(key op.Item, stored []op.Item) ([]op.Action, error) {
	p, item := d.act.Plan, stored[0]
	if item != nil && p.Shared && !p.Admits(core.NewRow(item)) {
		return nil, errs.NotFound
	}
	if item == nil && d.needsItem() {
		return nil, errs.NotFound
	}
	before, err := companionsBefore(p, item, key)
	if err != nil {
		return nil, err
	}
	o, err := d.plan("delete", func(c *conditions) {
		if item == nil {
			c.requireNone(clause.Clause{Rank: clause.Read, Then: clause.Replan})
			return
		}
		c.requireCompanions(item)
	})
	if err != nil {
		return nil, err
	}
	o.Actions[0].Idempotent = !d.needsItem() && !op.ReturnsOld(d.act.Return)
	c := companionChange{plan: p, before: before, slots: stored[1:], expiry: d.expiry, uncounted: d.uncounted}
	return append(o.Actions, c.actions()...), nil
}

// Check plans a condition check of an item by its key, for a transaction. The item must exist. If
// the example has a version, the item must have the same version.
func Check(p *core.Plan, example codec.Ptr, conds []*expr.Cond, expiry core.Expiry) (op.Operation, error) {
	d := deletion{act: op.Action{Verb: op.Check, Plan: p}, example: example, conds: conds, mustExist: true, expiry: expiry}
	return d.plan("check", func(*conditions) {})
}

// deletion is an action that has a key and a condition only: a deletion or a check. If mustExist is
// true or the example has a version, the item must exist.
type deletion struct {
	act       op.Action
	example   codec.Ptr
	conds     []*expr.Cond
	mustExist bool
	key       op.Item            // of the item; nil: that of the example
	uncounted func(op.Item) bool // see companionChange
	expiry    core.Expiry        // expired items count as none; zero: they exist
}

// needsItem reports whether the item must exist.
func (d deletion) needsItem() bool {
	_, v, err := d.identify()
	return d.mustExist || v != 0 || err != nil
}

// identify returns the key of the item, and its version if the example has one.
func (d deletion) identify() (op.Item, int64, error) {
	if d.key != nil {
		return d.key, 0, nil
	}
	var wrong errs.Problems
	key, err := Key(d.act.Plan, d.example)
	wrong.AddErr("", err)
	version, err := versionOf(d.act.Plan, d.example)
	wrong.AddErr("", err)
	return key, version, wrong.Err()
}

// plan completes the action, with the conditions of require and of the caller.
func (d deletion) plan(name string, require func(*conditions)) (op.Operation, error) {
	var wrong errs.Problems
	act := d.act
	key, version, err := d.identify()
	wrong.AddErr("", err)
	c := newConditions(act.Plan)
	c.expiry = d.expiry
	if version != 0 {
		c.requireVersion(version)
	}
	if d.mustExist || version != 0 {
		c.requireItem()
		c.requireUnexpired()
	}
	require(c)
	wrong.AddErr("", c.addConds(d.conds))
	act.Key, act.Idempotent = key, act.Verb == op.Check || c.sent() == 0 && !op.ReturnsOld(act.Return)
	c.requireType(errs.NotFound)
	wrong.AddErr("", c.addTo(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, err
	}
	return operation(name, act), nil
}
