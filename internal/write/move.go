package write

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Move plans the replacement of an item by one with another key: a put of a.Entity and a deletion
// of the item with the key of from. The item of from must exist and fulfill a.Conds. If from has a
// version, the item must have it.
func Move(a PutArgs, from codec.Ptr) (op.Operation, Stamps, error) {
	var wrong errs.Problems
	deletion, err := planByKey("move", op.Action{Verb: op.Delete, Plan: a.Plan}, from, a.Conds, true)
	wrong.AddErr("", err)
	old, err := a.versionBefore(from)
	wrong.AddErr("", err)
	a.Conds, a.WriteID = nil, nil
	o, stamps, err := a.plan("move", old, func(c *conditions) {
		c.requireNoItem()
		c.check.MustNotExist = true
	})
	wrong.AddErr("", err)
	if err := wrong.Err(); err != nil {
		return op.Operation{}, stamps, err
	}
	if to := a.Plan.Schema.KeyOf(core.NewRow(o.Actions[0].Item)); reflect.DeepEqual(to, deletion.Actions[0].Key) {
		return op.Operation{}, stamps, errs.New("", "the key does not change", "use Put or Update")
	}
	o.Actions = append(o.Actions, deletion.Actions[0])
	return o, stamps, nil
}

// versionBefore returns the version of from, or that of the entity if from has none.
func (a PutArgs) versionBefore(from codec.Ptr) (int64, error) {
	if v, err := versionOf(a.Plan, from); v != 0 || err != nil {
		return v, err
	}
	return versionOf(a.Plan, a.Entity)
}
