package write

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// requireKnown makes the write conditional on the value of a field in the example or in the item
// that was read.
func (p *updatePlanner) requireKnown(f *codec.Field) error {
	v, ok, err := p.fromExample(f)
	switch {
	case err != nil:
		return err
	case ok:
		_, err = p.requireExample(f, v, false)
		return err
	default:
		p.requireStored(f)
		return p.storeZero(f)
	}
}

// storeZero stores the zero of a member of a rendered key that the item lacks, as a put would.
func (p *updatePlanner) storeZero(f *codec.Field) error {
	v, err := p.stored.value(f)
	if err != nil || v.IsAbsent() || f.KeyOnly || p.stored.has(f) {
		return err
	}
	av, err := encodeField(f, p.stored.entity)
	if err == nil && av != nil {
		p.expr.ChangeAttribute(expr.Set, f.Name, av)
	}
	return err
}

// requireExample makes the write conditional on the example's value v of a field, and returns its
// attribute value. An absent key member matches every attribute that decodes as absent. A zero
// matches every attribute that decodes to zero. With orAbsent, other values also match an item
// without the attribute.
func (p *updatePlanner) requireExample(f *codec.Field, v keys.Value, orAbsent bool) (types.AttributeValue, error) {
	av, err := encodeField(f, p.Example)
	if err != nil {
		return nil, err
	}
	p.idempotent = false
	switch {
	case v.IsAbsent():
		p.conds.requireExample(absentOf(f, av))
	case f.IsZero(p.Example):
		p.conds.requireExample(zeroOf(f))
	default:
		state := valueOf(f.Name, av, orAbsent)
		state.Null = orAbsent
		p.conds.requireExample(state)
	}
	return av, nil
}

// assumeExamples stores the example's values of fields that the item may lack, as a put of the
// example would. The condition is that the item lacks them or has the same values. This applies to
// upserts. It also applies to zeros that are values in a key, because an absent attribute decodes
// to the same zero. Storing the fields changes all indexes that contain them. assumeExamples
// returns whether it stored any field.
func (p *updatePlanner) assumeExamples(fields fieldSet) (bool, error) {
	assumed := false
	for _, f := range fields {
		v, ok, err := p.fromExample(f)
		if err != nil {
			return false, err
		}
		if !ok || !p.mayCreate() && (!f.IsZero(p.Example) || v.IsAbsent()) {
			continue
		}
		if err := p.assumeExample(f, v); err != nil {
			return false, err
		}
		assumed = true
	}
	return assumed, nil
}

func (p *updatePlanner) assumeExample(f *codec.Field, v keys.Value) error {
	av, err := p.requireExample(f, v, true)
	switch {
	case err != nil:
		return err
	case av != nil && v.IsAbsent(): // the stored form of the absent value stays
		p.expr.ChangeAttribute(expr.SetIfAbsent, f.Name, av)
	case av != nil:
		p.expr.ChangeAttribute(expr.Set, f.Name, av)
	}
	return p.setField(f, v)
}

// requireExistence makes the write conditional on the item's existence or absence, as it was read.
func (p *updatePlanner) requireExistence() {
	if p.stored.item == nil {
		p.idempotent = false
	}
	p.conds.requireRead(p.stored.item, errs.Condition)
}

// requireStored makes the write conditional on the attributes that hold a field being as they were
// read.
func (p *updatePlanner) requireStored(f *codec.Field) {
	p.idempotent = false
	if p.stored.item == nil {
		return // requireExistence requires the item's absence
	}
	for _, name := range p.Plan.StoredIn(f) {
		if !p.conds.isPlanned(name) {
			p.conds.requireStored(name, p.stored.item[name])
		}
	}
}

// isPlanned reports whether the action is planned from an attribute already.
func (c *conditions) isPlanned(attribute string) bool {
	return slices.ContainsFunc(c.clauses, func(l clause.Clause) bool {
		state, ok := l.Pred.(*clause.State)
		return ok && l.Then == clause.Replan && state.Attribute == attribute
	})
}
