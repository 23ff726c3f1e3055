package write

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// setEmbedded sets the members of index keys and companions that exist because of another change. A
// field behind an embedded pointer is absent until an attribute of any field behind the pointer is
// stored: a reader then gets the zeros of the others. The update stores such a zero if the item
// lacks it, for which it must have read the item. It also does so if it removes a field, because
// that may be the one that showed the zero.
func (p *updatePlanner) setEmbedded() error {
	var stored, removed fieldSet
	for _, f := range p.Plan.Shape.Fields() {
		if _, set := p.assigned[f]; set || !f.BehindPointer() || !f.ZeroIsValue() || !p.keyMember(f) || p.Plan.TableMember(f) {
			continue
		}
		if stored == nil {
			stored, removed = p.changedFields()
		}
		removes := slices.ContainsFunc(removed, f.ExistsWith)
		switch {
		case p.creates(): // completeItem stores it
		case !removes && (!slices.ContainsFunc(stored, f.ExistsWith) || p.version != 0 && p.AsRead && f.ExistsIn(p.Example)):
		case p.stored == nil:
			return p.readItemFirst()
		case slices.ContainsFunc(stored, f.ExistsWith) || f.ExistsIn(p.stored.entity):
			if err := p.setZero(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// changedFields lists the fields that the update stores, and those that it may remove.
func (p *updatePlanner) changedFields() (stored, removed fieldSet) {
	add := func(list *fieldSet, attribute string) {
		if f := p.Plan.Shape.ByName(attribute); f != nil {
			list.add(f)
		}
	}
	for name := range p.expr.Created() {
		add(&stored, name)
	}
	for _, name := range p.expr.MayRemove() {
		add(&removed, name)
	}
	for f, set := range p.assigned { // also those that only keys hold
		if set.value.IsAbsent() {
			removed.add(f)
		} else {
			stored.add(f)
		}
	}
	return stored, removed
}

// setZero sets a field to its zero, if the item that was read lacks it.
func (p *updatePlanner) setZero(f *codec.Field) error {
	zero := p.Plan.NewEntity()
	if err := f.SetKey(keys.Value{}, zero); err != nil {
		return err
	}
	v, err := fieldValue(p.Plan, f, zero)
	if err != nil {
		return err
	}
	idempotent := p.idempotent
	p.requireStored(f)
	switch {
	case p.stored.has(f): // the condition holds again after the write
		p.idempotent = idempotent
		return nil
	case !f.KeyOnly:
		av, err := encodeField(f, zero)
		if err != nil {
			return err
		}
		p.expr.ChangeAttribute(expr.Set, f.Name, av)
	}
	return p.setField(f, v)
}
