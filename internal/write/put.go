package write

import (
	"io"
	"time"

	"github.com/trestledb/trestle/internal/clause"
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
	Expiry core.Expiry // expired items count as none; zero: they exist
	// Random is the source of the write ID; nil: the write stores none.
	Random io.Reader
	// Shard chooses one of the given number of shards, if the entity has none yet.
	Shard  func(shards int) (int, error)
	Return op.Return
	// JSON makes the item JSON if that is possible.
	JSON bool
}

// Create plans a put of an item that must not exist. A versioned item gets version 1, and its
// counts are zero.
func Create(a PutArgs) (op.Operation, Stamps, error) {
	if err := setCounts(a.Plan, a.Entity, nil); err != nil {
		return op.Operation{}, Stamps{}, err
	}
	o, stamps, err := a.plan("create", 0, func(c *conditions) {
		c.requireNew()
	})
	if err == nil {
		o.Actions, err = a.addCompanions(o.Actions, companions{}, nil)
	}
	return o, stamps, err
}

// Put plans the replacement of an item. For a versioned type, the item must have the entity's
// version. Version 0 matches no item, or an item stored before its type had a version. For a type
// with companions, the plan reads the item first.
func Put(a PutArgs) (op.Operation, Stamps, error) {
	old, err := versionOf(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	require := func(c *conditions) {
		switch {
		case a.Plan.Version == nil:
		case old == 0:
			c.requireNoVersion()
			c.requireAnew()
		default:
			c.requireVersion(old)
			c.requireUnexpired()
		}
	}
	if !a.Plan.Companions() {
		return a.plan("put", old, require)
	}
	return a.afterRead("put", nil, func(op.Item) (int64, func(*conditions), error) { return old, require, nil })
}

// Overwrite plans a put that checks no version. The versions of an item still never repeat: for a
// versioned type, the plan reads the stored version and puts the next one, on the condition that
// the stored version has not changed.
func Overwrite(a PutArgs) (op.Operation, Stamps, error) {
	v := a.Plan.Version
	switch {
	case v == nil && !a.Plan.Companions():
		return a.plan("overwrite", 0, func(*conditions) {})
	case v == nil:
		return a.afterRead("overwrite", nil, func(op.Item) (int64, func(*conditions), error) { return 0, func(*conditions) {}, nil })
	}
	return a.afterRead("overwrite", []string{v.Name}, func(stored op.Item) (int64, func(*conditions), error) {
		old, err := storedVersion(a.Plan, stored)
		return old, func(c *conditions) { c.requireStoredVersion(stored) }, err
	})
}

// requireStoredVersion requires that the item has the version that was read, or does not exist as
// when it was read.
func (c *conditions) requireStoredVersion(stored op.Item) {
	version := c.plan.Version.Name
	if stored == nil {
		c.requireRead(nil, errs.Stale)
		return
	}
	c.once = true
	c.add(clause.Clause{Pred: clause.Value(version, stored[version]), Fails: errs.Stale, Rank: clause.Read, Then: clause.Replan})
}

// afterRead plans a put that depends on the attributes of the stored item, or on those that its
// companions depend on. plan returns the version before the put and its conditions. It receives the
// stored item, or nil for none.
func (a PutArgs) afterRead(
	name string, attributes []string, plan func(stored op.Item) (int64, func(*conditions), error),
) (op.Operation, Stamps, error) {
	var key op.Item
	counts, err := CountsOf(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	planned := func(stored []op.Item) (op.Operation, Stamps, error) {
		item := stored[0]
		if err := setCounts(a.Plan, a.Entity, counts); err != nil { // an earlier plan may have changed them
			return op.Operation{}, Stamps{}, err
		}
		if item != nil && a.Plan.Shared && !a.Plan.Admits(core.NewRow(item)) {
			return op.Operation{}, Stamps{}, errs.Exists
		}
		old, require, err := plan(item)
		if err != nil {
			return op.Operation{}, Stamps{}, err
		}
		if !a.Plan.Companions() {
			return a.plan(name, old, require)
		}
		before, err := companionsBefore(a.Plan, item, key)
		if err != nil {
			return op.Operation{}, Stamps{}, err
		}
		o, stamps, err := a.plan(name, old, func(c *conditions) {
			require(c)
			c.requireCompanions(item)
		})
		if err == nil {
			o.Actions, err = a.addCompanions(o.Actions, before, stored[1:])
		}
		return o, stamps, err
	}
	// Plan once for a missing item to report errors of the entity before the read.
	_, stamps, err := planned([]op.Item{nil})
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	if key, err = Key(a.Plan, a.Entity); err != nil {
		return op.Operation{}, Stamps{}, err
	}
	return op.Operation{Name: name, Plan: a.Plan, PreRead: &op.PreRead{
		Reads: []op.Action{readBefore(a.Plan, key, append(attributes, companionAttributes(a.Plan)...), a.Expiry)},
		Slots: slots(a.Plan),
		Plan: func(stored []op.Item) ([]op.Action, error) {
			o, _, err := planned(stored)
			return o.Actions, err
		},
	}}, stamps, nil
}

// addCompanions appends the actions on the companions of the item that the first action stores.
func (a PutArgs) addCompanions(actions []op.Action, before companions, slots []op.Item) ([]op.Action, error) {
	if !a.Plan.Companions() {
		return actions, nil
	}
	after, err := companionsOfEntity(a.Plan, a.Entity, actions[0].Item.Row())
	if err != nil {
		return nil, err
	}
	c := companionChange{plan: a.Plan, before: before, after: after, slots: slots, now: a.Now, expiry: a.Expiry}
	return append(actions, c.actions()...), nil
}

// repeatAnew notes that the condition of requireAnew holds again after the put, unless it stores an
// item that has expired.
func (a PutArgs) repeatAnew(c *conditions) error {
	if !c.aware {
		return nil
	}
	av, err := encodeField(a.Plan.TTL, a.Entity)
	if err == nil && !c.expiry.Contains(av) {
		c.repeatable++
	}
	return err
}

// content returns the item to store, with a write ID or without one if it is zero.
func (a PutArgs) content(id op.Expected) (*op.Content, error) {
	if a.JSON && len(a.Plan.Counters) == 0 {
		if content := jsonItem(a.Plan, a.Entity, id); content != nil {
			return content, nil
		}
	}
	item, err := newItem(a.Plan, a.Entity, id)
	if err != nil {
		return nil, err
	}
	return op.NewContent(item), nil
}

// plan stamps the entity with the version after old and returns a put of it, with the conditions of
// require and of the caller.
func (a PutArgs) plan(name string, old int64, require func(*conditions)) (op.Operation, Stamps, error) {
	stamps := Stamps{plan: a.Plan, entity: a.Entity, old: old, now: a.Now}
	if err := stamps.setRoles(); err != nil {
		return op.Operation{}, stamps, err
	}
	if err := a.chooseShard(&stamps); err != nil {
		return op.Operation{}, stamps, err
	}
	c := newConditions(a.Plan)
	c.expiry = a.Expiry
	require(c)
	var wrong errs.Problems
	if !c.aware && (len(a.Conds) > 0 || c.sent() > 0 || len(a.Plan.Counters) > 0) {
		c.requireAnew()
		wrong.AddErr("", a.repeatAnew(c))
	}
	if !c.creates {
		wrong.AddErr("", c.requireCounts(a.Entity))
	}
	for _, f := range a.Plan.Counters {
		stamps.fields.Add(f) // another operation of the same transaction may change it
	}
	id, err := c.writeID(a.Random, a.Return)
	if err != nil {
		return op.Operation{}, stamps, err
	}
	item, err := a.content(id)
	wrong.AddErr("", err)
	wrong.AddErr("", c.addConds(a.Conds))
	idempotent := c.sent() == c.repeatable && !op.ReturnsOld(a.Return)
	c.requireType(errs.Exists)
	act := op.Action{Verb: op.Put, Plan: a.Plan, Item: item, Return: a.Return, Idempotent: idempotent, WriteID: id}
	if len(a.Plan.Counters) > 0 {
		act.Entity = a.Entity
	}
	wrong.AddErr("", c.addTo(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, stamps, err
	}
	return operation(name, act), stamps, nil
}
