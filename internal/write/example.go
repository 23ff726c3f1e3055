package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// requireKnown makes the write conditional on the value of a field in the example or in the item
// that was read.
func (w *updatePlanner) requireKnown(f *codec.Field) error {
	_, given, err := w.facts.fromExample(f)
	switch {
	case err != nil:
		return errs.Wrap(f.Name, err)
	case !given:
		w.requireStored(f)
		return nil
	}
	return w.claim(f)
}

// claim makes the write conditional on the example's value of a field. An absent key member matches
// every attribute that decodes as absent. A zero matches every attribute that decodes to zero.
func (w *updatePlanner) claim(f *codec.Field) error {
	v, _, err := w.facts.fromExample(f)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	_, err = w.requireExample(f, v, false)
	return err
}

// requireExample adds the condition of claim for value v, and returns the attribute that the
// example gives. With orAbsent the condition also holds if the item lacks the attribute.
func (w *updatePlanner) requireExample(f *codec.Field, v keys.Value, orAbsent bool) (core.AV, error) {
	av, err := encodeField(f, w.Example)
	if err != nil {
		return nil, err
	}
	w.idempotent = false
	switch {
	case v.IsAbsent():
		w.conds.requireAbsent(f, av)
	case f.IsZero(w.Example):
		w.conds.requireZero(f)
	default:
		w.conds.requireExample(f.Name, av, orAbsent)
	}
	return av, nil
}

// assumeExamples stores the example's values of fields that the item may lack, as a put of the
// example would. The condition is that the item lacks them or has the same values. This applies to
// upserts. It also applies to zeros that are values in a key, because an absent attribute decodes
// to the same zero. Storing the fields changes all indexes that contain them. adopt returns whether
// it stored any field.
func (w *updatePlanner) assumeExamples(fields fieldSet) (bool, error) {
	adopted := false
	for _, f := range fields {
		v, given, err := w.facts.fromExample(f)
		if err != nil {
			return false, errs.Wrap(f.Name, err)
		}
		if !given || !w.Upsert && (!f.IsZero(w.Example) || v.IsAbsent()) {
			continue
		}
		if err := w.assumeExample(f, v); err != nil {
			return false, err
		}
		adopted = true
	}
	return adopted, nil
}

func (w *updatePlanner) assumeExample(f *codec.Field, v keys.Value) error {
	av, err := w.requireExample(f, v, true)
	if err != nil {
		return err
	}
	if av != nil {
		w.expr.SetValue(f.Name, av)
	}
	return w.setField(f, v)
}

// requireExistence makes the write conditional on the item's existence or absence, as it was read.
func (w *updatePlanner) requireExistence() {
	if w.stored.item == nil {
		w.conds.requireNoItem()
	} else {
		w.conds.requireItem()
	}
	name := w.Plan.Schema.Partition.Name
	w.addPlanned(op.Expected{Attribute: name, Value: w.stored.item[name]})
}

// requireStored makes the write conditional on the attributes that hold a field being as they were
// read.
func (w *updatePlanner) requireStored(f *codec.Field) {
	w.idempotent = false
	if w.stored.item == nil {
		return // presence guards the item's absence
	}
	for _, name := range holders(w.Plan, f) {
		av := w.stored.item[name]
		if w.addPlanned(op.Expected{Attribute: name, Value: av}) {
			w.conds.requireValue(name, av)
		}
	}
}

// addPlanned records a guard, with which the executor detects concurrent writes. It returns false
// if the attribute already has a guard.
func (w *updatePlanner) addPlanned(g op.Expected) bool {
	for _, have := range w.check.Planned {
		if have.Attribute == g.Attribute {
			return false
		}
	}
	w.check.Planned = append(w.check.Planned, g)
	return true
}
