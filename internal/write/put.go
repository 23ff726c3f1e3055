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
	// WriteID returns a new write ID; nil: the write stores none.
	WriteID func() []byte
	Return  op.Return
}

// Create plans a put of an item that must not exist. A versioned item gets version 1.
func Create(a PutArgs) (op.Operation, Stamps, error) {
	return a.plan("create", 0, func(c *conditions) {
		c.requireNoItem()
		c.check.MustNotExist = true
	})
}

// Put plans the replacement of an item. For a versioned type, the item must have the entity's
// version. Version 0 matches no item, or an item stored before its type had a version.
func Put(a PutArgs) (op.Operation, Stamps, error) {
	old, err := versionOf(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	return a.plan("put", old, func(c *conditions) {
		switch {
		case a.Plan.Version == nil:
		case old == 0:
			c.requireNoVersion()
		default:
			c.requireVersion(old)
		}
	})
}

// plan stamps the entity with the version after old and returns a put of it, with the conditions of
// require and of the caller.
func (a PutArgs) plan(name string, old int64, require func(*conditions)) (op.Operation, Stamps, error) {
	stamps := Stamps{plan: a.Plan, entity: a.Entity, old: old, now: a.Now}
	if err := stamps.setRoles(); err != nil {
		return op.Operation{}, stamps, err
	}
	c := newConditions(a.Plan)
	require(c)
	id := c.writeID(a.WriteID, a.Return)
	var wrong errs.Problems
	item, err := newItem(a.Plan, a.Entity, id)
	wrong.AddErr("", err)
	wrong.AddErr("", c.addConds(a.Conds))
	idempotent := len(c.parts) == 0 && !op.ReturnsOld(a.Return)
	c.requireType(errs.Exists)
	act := op.Action{Verb: op.Put, Plan: a.Plan, Item: item, Return: a.Return, Idempotent: idempotent, WriteID: id}
	wrong.AddErr("", c.addTo(&act))
	if err := wrong.Err(); err != nil {
		return op.Operation{}, stamps, err
	}
	return operation(name, act), stamps, nil
}

// Overwrite plans a put that checks no version. The versions of an item still never repeat: for a
// versioned type, the plan reads the stored version and puts the next one, on the condition that
// the stored version has not changed.
func Overwrite(a PutArgs) (op.Operation, Stamps, error) {
	if a.Plan.Version == nil {
		return a.plan("overwrite", 0, func(*conditions) {})
	}
	// Plan once for a missing item to report errors of the entity before the read.
	_, stamps, err := a.planOverwrite(nil)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	key, err := Key(a.Plan, a.Entity)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	plan := func(stored []op.Item) ([]op.Action, error) {
		o, _, err := a.planOverwrite(stored[0])
		return o.Actions, err
	}
	return op.Operation{Name: "overwrite", Plan: a.Plan, PreRead: &op.PreRead{
		Reads: []op.Action{readBefore(a.Plan, key, []string{a.Plan.Version.Name})}, Plan: plan,
	}}, stamps, nil
}

// planOverwrite plans the replacement of the item that was read, or of a missing item if stored is
// nil.
func (a PutArgs) planOverwrite(stored op.Item) (op.Operation, Stamps, error) {
	if stored != nil && a.Plan.Shared && !a.Plan.Matches(core.NewRow(stored)) {
		return op.Operation{}, Stamps{}, errs.Exists
	}
	old, err := storedVersion(a.Plan, stored)
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	partition, version := a.Plan.Schema.Partition.Name, a.Plan.Version.Name
	return a.plan("overwrite", old, func(c *conditions) {
		c.check.Stale = true
		if stored == nil {
			c.requireNoItem()
			c.check.Planned = []op.Expected{{Attribute: partition}}
			return
		}
		c.once = true
		c.require(valueOf(version, stored[version], false))
		c.check.VersionAttribute, c.check.ExpectedVersion = version, stored[version]
		c.check.Planned = []op.Expected{{Attribute: version, Value: stored[version]}}
	})
}
