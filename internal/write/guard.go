package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// guard makes the write conditional on the value of a field in the example or in the item that was
// read.
func (w *working) guard(f *codec.Field) error {
	_, given, err := w.facts.gives(f)
	switch {
	case err != nil:
		return errs.Wrap(f.Name, err)
	case !given:
		w.readGuard(f)
		return nil
	}
	return w.claim(f)
}

// claim makes the write conditional on the example's value of a field. An absent key member matches
// every attribute that decodes as absent. A zero matches every attribute that decodes to zero.
func (w *working) claim(f *codec.Field) error {
	v, _, err := w.facts.gives(f)
	if err != nil {
		return errs.Wrap(f.Name, err)
	}
	_, err = w.claimed(f, v, false)
	return err
}

// claimed adds the condition of claim for value v, and returns the attribute that the example
// gives. With orAbsent the condition also holds if the item lacks the attribute.
func (w *working) claimed(f *codec.Field, v keys.Value, orAbsent bool) (core.AV, error) {
	av, err := attribute(f, w.Example)
	if err != nil {
		return nil, err
	}
	w.idempotent = false
	switch {
	case v.IsAbsent():
		w.c.guardAbsent(f, av)
	case f.IsZero(w.Example):
		w.c.guardZero(f)
	default:
		w.c.claim(f.Name, av, orAbsent)
	}
	return av, nil
}

// adopt stores the example's values of fields that the item may lack, as a put of the example
// would. The condition is that the item lacks them or has the same values. This applies to upserts.
// It also applies to zeros that are values in a key, because an absent attribute decodes to the
// same zero. Storing the fields changes all indexes that contain them. adopt returns whether it
// stored any field.
func (w *working) adopt(fields fieldSet) (bool, error) {
	adopted := false
	for _, f := range fields {
		v, given, err := w.facts.gives(f)
		if err != nil {
			return false, errs.Wrap(f.Name, err)
		}
		if !given || !w.Upsert && (!f.IsZero(w.Example) || v.IsAbsent()) {
			continue
		}
		if err := w.adoptOne(f, v); err != nil {
			return false, err
		}
		adopted = true
	}
	return adopted, nil
}

func (w *working) adoptOne(f *codec.Field, v keys.Value) error {
	av, err := w.claimed(f, v, true)
	if err != nil {
		return err
	}
	if av != nil {
		w.u.SetValue(f.Name, av)
	}
	return w.touches(f, v)
}

// presence makes the write conditional on the item's existence or absence, as it was read.
func (w *working) presence() {
	if w.met.item == nil {
		w.c.absent()
	} else {
		w.c.exists()
	}
	name := w.Plan.Schema.Partition.Name
	w.noted(op.Expected{Attribute: name, Value: w.met.item[name]})
}

// readGuard makes the write conditional on the attributes that hold a field being as they were
// read.
func (w *working) readGuard(f *codec.Field) {
	w.idempotent = false
	if w.met.item == nil {
		return // presence guards the item's absence
	}
	for _, name := range holders(w.Plan, f) {
		av := w.met.item[name]
		if w.noted(op.Expected{Attribute: name, Value: av}) {
			w.c.guard(name, av)
		}
	}
}

// noted records a guard, with which the executor detects concurrent writes. It returns false if the
// attribute already has a guard.
func (w *working) noted(g op.Expected) bool {
	for _, have := range w.why.Planned {
		if have.Attribute == g.Attribute {
			return false
		}
	}
	w.why.Planned = append(w.why.Planned, g)
	return true
}
