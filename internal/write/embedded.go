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
// lacks it, for which it must have read the item.
func (p *updatePlanner) setEmbedded() error {
	var stored fieldSet
	for _, f := range p.Plan.Shape.Fields() {
		if _, set := p.assigned[f]; set || !f.BehindPointer() || !f.ZeroIsValue() || !p.keyMember(f) || p.Plan.TableMember(f) {
			continue
		}
		if stored == nil {
			stored = p.storedFields()
		}
		switch {
		case p.creates(): // completeItem stores it
		case !slices.ContainsFunc(stored, f.ExistsWith), p.version != 0 && p.AsRead && f.ExistsIn(p.Example):
		case p.stored == nil:
			return p.readItemFirst()
		default:
			if err := p.setZero(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// storedFields lists the fields that the update stores.
func (p *updatePlanner) storedFields() (list fieldSet) {
	for name := range p.expr.Created() {
		if f := p.Plan.Shape.ByName(name); f != nil {
			list.add(f)
		}
	}
	for f, set := range p.assigned {
		if f.KeyOnly && !set.value.IsAbsent() {
			list.add(f)
		}
	}
	return list
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
