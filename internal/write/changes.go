package write

import (
	"errors"
	"math"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/keys"
)

// applyToStored applies an arithmetic change of an index member to the value read, and guards that
// value. The index key is then rendered from the result, not from the operand.
func (w *updatePlanner) applyToStored(b *expr.BoundChange) error {
	f := b.Field()
	old, err := w.stored.value(f)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	w.requireStored(f)
	operand, err := b.Operand()
	if err != nil {
		return err
	}
	if b.Verb == expr.SetIfAbsent {
		if w.stored.has(f) {
			w.facts.setKnown(f, old)
			return nil
		}
		if err := w.setField(f, operand); err != nil {
			return err
		}
		return w.expr.ApplyBound(b)
	}
	v, err := sum(old, operand)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	return w.setNumber(f, v)
}

// setNumber sets a field's attribute to a value, or removes it if Put would omit it.
func (w *updatePlanner) setNumber(f *codec.Field, v keys.Value) error {
	e := w.Plan.NewEntity()
	if err := f.SetKey(v, e); err != nil {
		return errs.Wrap(f.Name, err)
	}
	av, err := encodeField(f, e)
	if err != nil {
		return err
	}
	if av == nil {
		w.expr.RemoveAttribute(f.Name)
		return w.setField(f, keys.Value{})
	}
	w.expr.SetValue(f.Name, av)
	return w.setField(f, v)
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
	errOverflow  = errors.New("the sum does not fit the field's type")
	errNotNumber = errors.New("only numbers can be added to")
)
