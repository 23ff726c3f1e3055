package write

import (
	"errors"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// applyChanges adds the caller's changes and conditions.
func (p *updatePlanner) applyChanges() error {
	var wrong errs.Problems
	for _, b := range p.changes {
		p.idempotent = p.idempotent && b.Repeatable()
		wrong.AddErr("", p.applyChange(b))
	}
	return wrong.Err()
}

func (p *updatePlanner) applyChange(b *expr.BoundChange) error {
	if b.Verb == expr.If {
		return p.conds.addConds(b.Conds)
	}
	if !b.Whole() {
		p.conds.requireParent(b.Target)
	}
	if f := b.Field(); f != nil && p.keyMember(f) {
		if done, err := p.changeMember(f, b); done || err != nil {
			return err
		}
	}
	return p.expr.Apply(b)
}

// changeMember records the value that a change gives a member of an index key. It reports whether
// the change is done, so that the update needs no other clause for it.
func (p *updatePlanner) changeMember(f *codec.Field, b *expr.BoundChange) (done bool, err error) {
	switch {
	case b.Constant():
		v, err := b.Value()
		if err == nil {
			err = p.setField(f, v)
		}
		return f.KeyOnly, err
	case p.stored != nil:
		return p.changeStored(f, b)
	}
	p.setUnknown(f) // only DynamoDB can compute the value
	if b.Verb != expr.SetIfAbsent {
		return false, nil
	}
	v, err := b.Value()
	if err == nil {
		err = validate(p.Plan, f, v)
	}
	return false, errs.Wrap(f.Name, err)
}

// changeStored computes a change of an index member from the item that was read, and requires the
// value read. The index key is rendered from the result, not from the operand.
func (p *updatePlanner) changeStored(f *codec.Field, b *expr.BoundChange) (done bool, err error) {
	old, err := p.stored.value(f)
	if err != nil {
		return false, err
	}
	p.requireStored(f)
	operand, err := b.Value()
	switch {
	case err != nil:
		return false, err
	case b.Verb != expr.SetIfAbsent:
		return true, p.setSum(f, old, operand)
	case p.stored.has(f):
		p.setKnown(f, old)
		return true, nil
	default: // the stored attribute is absent or NULL, which requireStored requires
		if err := p.setField(f, operand); err != nil {
			return false, err
		}
		return true, p.expr.Apply(b.AsSet())
	}
}

// setField records that the write sets a field to a value, and checks the value.
func (p *updatePlanner) setField(f *codec.Field, v keys.Value) error {
	v, err := p.Plan.RoundTrip(f, v)
	if err == nil {
		err = validate(p.Plan, f, v)
	}
	p.setKnown(f, v)
	return errs.Wrap(f.Name, err)
}

// store sets the attribute of a field to the value that av encodes. If av is nil, it removes the
// attribute.
func (p *updatePlanner) store(f *codec.Field, v keys.Value, av types.AttributeValue) error {
	if av == nil {
		v = keys.Value{}
	}
	p.expr.ChangeAttribute(expr.Set, f.Name, av)
	return p.setField(f, v)
}

// setSum sets a field to the sum of two numbers, or removes it if Put would omit it.
func (p *updatePlanner) setSum(f *codec.Field, old, by keys.Value) error {
	v, err := sum(old, by)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	av, err := encodeValue(p.Plan, f, v)
	if err != nil {
		return err
	}
	return p.store(f, v, av)
}

// sum adds two numbers as DynamoDB does: an absent number counts as zero. It returns an error if
// the Go type overflows.
func sum(old, by keys.Value) (keys.Value, error) {
	switch by.Kind() {
	case keys.KindInt:
		a, b := old.Int(), by.Int()
		if (b > 0 && a > math.MaxInt64-b) || (b < 0 && a < math.MinInt64-b) {
			return keys.Value{}, errOverflow
		}
		return keys.Int(a + b), nil
	case keys.KindUint:
		a, b := old.Uint(), by.Uint()
		if a > math.MaxUint64-b {
			return keys.Value{}, errOverflow
		}
		return keys.Uint(a + b), nil
	case keys.KindFloat:
		return keys.Float(old.Float() + by.Float()), nil
	default:
		return keys.Value{}, errNotNumber
	}
}

var (
	errOverflow  = errors.New("the sum overflows the field's type")
	errNotNumber = errors.New("only numbers can be added to")
)

// setKeyFields sets the fields in the table's key if the update may create the item.
func (p *updatePlanner) setKeyFields() error {
	if !p.mayCreate() {
		return nil
	}
	var done fieldSet
	for a := range p.Plan.Table.Attributes() {
		for _, f := range a.Members {
			if native := p.Plan.Native(f); f.KeyOnly || native != nil && native.Table || done.has(f) {
				continue
			}
			done.add(f)
			v, err := fieldValue(p.Plan, f, p.Example)
			if err != nil {
				return err
			}
			av, err := encodeField(f, p.Example)
			if err != nil {
				return err
			}
			if err := p.setIfAbsent(f, v, av); err != nil {
				return err
			}
		}
	}
	return nil
}

// setIfAbsent sets a field if the item lacks it.
func (p *updatePlanner) setIfAbsent(f *codec.Field, v keys.Value, av types.AttributeValue) error {
	switch {
	case !p.keyMember(f) || inTableKey(p.Plan, f):
	case p.stored == nil:
		p.setUnknown(f)
	default:
		p.requireStored(f)
		if p.stored.has(f) {
			return nil
		}
		return p.store(f, v, av)
	}
	p.expr.ChangeAttribute(expr.SetIfAbsent, f.Name, av)
	return errs.Wrap(f.Name, validate(p.Plan, f, v))
}
