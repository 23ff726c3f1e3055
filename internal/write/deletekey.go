package write

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// DeleteKey plans the deletion of the item with a key of a table, without conditions. Counting
// items for which uncounted returns true are not changed. guards is the number of guards that the
// deletion deletes, as it was planned last.
func DeleteKey(p *core.Plan, key op.Item, table string, uncounted func(key op.Item) bool) (o op.Operation, guards *int) {
	d := deletion{act: op.Action{Verb: op.Delete, Plan: p}, key: key, uncounted: uncounted}
	o, _ = d.operation() // without an example and conditions, it cannot fail
	guards = new(int)
	if o.PreRead != nil {
		plan := o.PreRead.Plan
		o.PreRead.Plan = func(stored []op.Item) ([]op.Action, error) {
			actions, err := plan(stored)
			if err != nil {
				return nil, err
			}
			*guards = 0
			for _, a := range actions {
				if a.Guard != nil && a.Verb == op.Delete {
					*guards++
				}
			}
			return Combine(actions, table)
		}
	}
	return o, guards
}

// DeleteStored is DeleteKey for an item with companions that was read. It is planned from that item
// first, without another read, and changes no counts. The error is that of an item whose guards
// cannot be found.
func DeleteStored(p *core.Plan, item op.Item, table string) (o op.Operation, guards *int, err error) {
	found := op.Item{}
	for _, name := range append(storedAttributes(p), pointerAttributes(p)...) {
		if item[name] != nil {
			found[name] = item[name]
		}
	}
	if _, err := decodeStored(p, found); err != nil {
		return op.Operation{}, nil, err
	}
	o, guards = DeleteKey(p, p.Schema.KeyOf(core.NewRow(item)), table, func(op.Item) bool { return true })
	o.PreRead.Found = []op.Item{found}
	return o, guards, nil
}

// DeleteAlone plans the deletion of an item that was read, without its guards. Its condition is
// that the type is the one that was read, and so are the attributes that the guards of that type
// depend on. p is the type, or nil for an unregistered one.
func DeleteAlone(s *core.Schema, p *core.Plan, item op.Item) (op.Operation, error) {
	if p == nil {
		p = &core.Plan{Schema: s}
	}
	c := newConditions(p)
	c.requireThere()
	for _, name := range storedAttributes(p) {
		if !s.InTableKey(name) {
			c.require(valueOf(name, item[name], false))
		}
	}
	a := op.Action{Verb: op.Delete, Plan: p, Key: s.KeyOf(core.NewRow(item)), Idempotent: true}
	err := c.addTo(&a)
	return operation("delete", a), err
}

// storedAttributes lists the partition key, the type attribute, and the attributes that the
// companions of an item depend on, each once.
func storedAttributes(p *core.Plan) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(p.Schema.Partition.Name)
	add(p.Schema.TypeAttr)
	for _, name := range companionAttributes(p) {
		add(name)
	}
	return names
}
