package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
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

// claim makes the write conditional on a field being as the example gives it. A zero is met by every
// attribute that is read as it.
func (w *working) claim(f *codec.Field) error {
	w.idempotent = false
	if f.IsZero(w.Example) {
		w.c.guardZero(f)
		return nil
	}
	av, err := attribute(f, w.Example)
	if err != nil {
		return err
	}
	w.c.guard(f.Name, av)
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
		zero := f.IsZero(w.Example)
		if !given || !w.Upsert && (!zero || v.IsAbsent()) {
			continue
		}
		av, err := attribute(f, w.Example)
		if err != nil {
			return false, err
		}
		w.idempotent = false
		if zero {
			w.c.guardZero(f)
		} else {
			w.c.guardOrAbsent(f.Name, av)
		}
		if av != nil {
			w.u.SetValue(f.Name, av)
		}
		if err := w.touches(f, v); err != nil {
			return false, err
		}
		adopted = true
	}
	return adopted, nil
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
