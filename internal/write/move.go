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
// version, the item must have it. For a type with companions, the plan reads the item first. The
// item may count only items that leave it in the same transaction.
func Move(a PutArgs, from codec.Ptr) (op.Operation, Stamps, error) {
	m := move{put: a, from: deletion{act: op.Action{Verb: op.Delete, Plan: a.Plan}, example: from, conds: a.Conds, mustExist: true, expiry: a.Expiry}}
	m.put.Conds, m.put.Random = nil, nil
	var err error
	if m.version, err = versionOf(a.Plan, from); m.version == 0 && err == nil {
		m.version, err = versionOf(a.Plan, a.Entity)
	}
	if err != nil {
		return op.Operation{}, Stamps{}, err
	}
	actions, stamps, err := m.plan(func(*conditions) {})
	if err != nil {
		return op.Operation{}, stamps, err
	}
	o := op.Operation{Name: "move", Plan: a.Plan, Actions: actions}
	if !a.Plan.Companions() {
		return o, stamps, nil
	}
	key := actions[1].Key
	known := []op.Item{a.Plan.Schema.KeyOf(actions[0].Item.Row())}
	if after, err := companionsOfEntity(a.Plan, a.Entity, actions[0].Item.Row()); err == nil {
		known = append(known, after.guards...)
	}
	return op.Operation{Name: o.Name, Plan: a.Plan, PreRead: &op.PreRead{
		Reads: []op.Action{readBefore(a.Plan, key, companionAttributes(a.Plan), a.Expiry)},
		Slots: slots(a.Plan),
		Known: existing(known),
		Plan:  func(stored []op.Item) ([]op.Action, error) { return m.afterRead(key, stored) },
	}}, stamps, nil
}

// move is a put under a new key, and a deletion of the old item.
type move struct {
	put     PutArgs
	from    deletion
	version int64 // before the move: that of from, or that of the entity if from has none
}

// plan plans both actions, with the conditions of require on the old item.
func (m move) plan(require func(*conditions)) ([]op.Action, Stamps, error) {
	var wrong errs.Problems
	deletion, err := m.from.plan("move", require)
	wrong.AddErr("", err)
	wrong.AddErr("", setCounts(m.put.Plan, m.put.Entity, nil))
	o, stamps, err := m.put.plan("move", m.version, func(c *conditions) {
		c.requireNew()
	})
	wrong.AddErr("", err)
	if err := wrong.Err(); err != nil {
		return nil, stamps, err
	}
	put := o.Actions[0]
	if to := m.put.Plan.Schema.KeyOf(put.Item.Row()); reflect.DeepEqual(to, deletion.Actions[0].Key) {
		return nil, stamps, errs.New("", "the key does not change", "use Put or Update")
	}
	deletion.Actions[0].MovesCounts = len(m.put.Plan.Counters) > 0
	return []op.Action{put, deletion.Actions[0]}, stamps, nil
}

// afterRead plans the move of the old item that was read, and the change of its companions.
func (m move) afterRead(key op.Item, stored []op.Item) ([]op.Action, error) {
	p, item := m.put.Plan, stored[0]
	if item == nil || p.Shared && !p.Admits(core.NewRow(item)) {
		return nil, errs.NotFound
	}
	before, err := companionsBefore(p, item, key)
	if err != nil {
		return nil, err
	}
	actions, _, err := m.plan(func(c *conditions) { c.requireCompanions(item) })
	if err != nil {
		return nil, err
	}
	return m.put.addCompanions(actions, before, stored[1:])
}
