package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// guard makes the write conditional on what it takes a field to be: what the example says, or what was read.
func (w *working) guard(f *codec.Field) error {
	_, given, err := w.facts.gives(f)
	switch {
	case err != nil:
		return fail.Because(f.Name, err)
	case !given:
		w.readGuard(f)
		return nil
	}
	return w.claim(f)
}

// claim makes the write conditional on a field being as the example gives it. A part that is absent is met
// by every attribute that is read as absent, and a zero by every one that is read as it.
func (w *working) claim(f *codec.Field) error {
	v, _, err := w.facts.gives(f)
	if err != nil {
		return fail.Because(f.Name, err)
	}
	av, err := attribute(f, w.Example)
	if err != nil {
		return err
	}
	w.idempotent = false
	switch {
	case v.IsAbsent():
		w.c.guardAbsent(f, av)
	case f.IsZero(w.Example):
		w.c.guardZero(f)
	default:
		w.c.claim(f.Name, av, false)
	}
	return nil
}

// adopt makes the example's word on some fields true where the item may lack them: it gets them then, as a
// put of the example would have given them. That is so for an item that may be new, and for a zero that is
// a value in a key, which reads like an attribute that is not there. The fields are touched by that, and
// so are all indexes that hold them. It reports whether there were any.
func (w *working) adopt(fields fieldSet) (bool, error) {
	adopted := false
	for _, f := range fields {
		v, given, err := w.facts.gives(f)
		if err != nil {
			return false, fail.Because(f.Name, err)
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
	av, err := attribute(f, w.Example)
	if err != nil {
		return err
	}
	w.idempotent = false
	switch {
	case v.IsAbsent():
		w.c.guardAbsent(f, av)
	case f.IsZero(w.Example):
		w.c.guardZero(f)
	default:
		w.c.claim(f.Name, av, true)
	}
	if av != nil {
		w.u.SetValue(f.Name, av)
	}
	return w.touches(f, v)
}

// presence guards that the item is there, or is not, as it was read.
func (w *working) presence() {
	if w.met.item == nil {
		w.c.absent()
	} else {
		w.c.exists()
	}
	name := w.Plan.Schema.Partition.Name
	w.noted(op.Guard{Attribute: name, Value: w.met.item[name]})
}

// readGuard makes the write conditional on a field, or the key that holds it, being as it was read.
func (w *working) readGuard(f *codec.Field) {
	w.idempotent = false
	if w.met.item == nil {
		return // the item's absence is guarded as a whole
	}
	for _, name := range holders(w.Plan, f) {
		av := w.met.item[name]
		if w.noted(op.Guard{Attribute: name, Value: av}) {
			w.c.guard(name, av)
		}
	}
}

// noted keeps a guard for the executor, which tells by it that another writer came between; false: it has it already.
func (w *working) noted(g op.Guard) bool {
	for _, have := range w.why.Guards {
		if have.Attribute == g.Attribute {
			return false
		}
	}
	w.why.Guards = append(w.why.Guards, g)
	return true
}
