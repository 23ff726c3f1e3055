package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/keys"
)

// decision is what an update makes of the rendered attributes of every index, and what that rests on.
type decision struct {
	changes []indexChange
	guards  fieldSet // what is taken for true and must be guarded
	missing fieldSet // what would have to be known: nothing is decided then
}

// indexChange is what an update does to one rendered index attribute.
type indexChange struct {
	attr  *core.KeyAttr
	value types.AttributeValue // nil: removed
}

// entry is the state of an item on one index after the update.
type entry struct {
	state   entryState
	guards  fieldSet // what the state rests on and is not certain
	missing fieldSet // what would have to be known
}

type entryState uint8

const (
	undecided entryState = iota
	complete             // every key attribute is there
	absent               // at least one is not
)

// indexes decides what becomes of every rendered attribute of every index that the update touches.
func (f *facts) indexes() (decision, error) {
	var d decision
	for _, a := range f.plan.Attrs {
		if !a.Rendered() || !f.touchesUse(a) {
			continue
		}
		if err := f.decide(a, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

// touchesUse reports whether the update touches any index that the attribute is part of.
func (f *facts) touchesUse(a *core.KeyAttr) bool {
	for _, x := range f.plan.Indexes {
		if x.Key.Has(a) && f.touchesIndex(x) {
			return true
		}
	}
	return false
}

// touchesIndex reports whether the update touches a member of any of the index's key attributes. An item that may be new is on every
// index that is made of the table's key alone, which no change touches.
func (f *facts) touchesIndex(x *core.IndexKey) bool {
	if f.fresh && f.plan.Constant(x) {
		return true
	}
	for a := range x.Key.Sides() {
		for _, m := range a.Members {
			if _, ok := f.set[m]; ok {
				return true
			}
		}
	}
	return false
}

// decide says what becomes of one attribute: it is there if any index that uses it is complete. An index that the update does not touch
// has a say too, where it shares the attribute.
func (f *facts) decide(a *core.KeyAttr, d *decision) error {
	var gone, open fieldSet
	for _, x := range f.plan.Indexes {
		if !x.Key.Has(a) {
			continue
		}
		e, err := f.entry(x)
		if err != nil {
			return err
		}
		switch e.state {
		case complete:
			d.guards.add(e.guards...)
			av, err := f.render(a)
			d.changes = append(d.changes, indexChange{attr: a, value: av})
			return err
		case absent:
			gone.add(e.guards...)
		default:
			open.add(e.missing...)
		}
	}
	if len(open) > 0 {
		d.missing.add(open...)
		return nil
	}
	d.guards.add(gone...)
	d.changes = append(d.changes, indexChange{attr: a})
	return nil
}

// entry finds out whether the item will be on an index. One member that is certain to be absent settles it, whatever the others are.
func (f *facts) entry(x *core.IndexKey) (entry, error) {
	var there, gone entry
	for a := range x.Key.Sides() {
		if a.Table {
			continue // every item has it
		}
		for i, m := range a.Members {
			v, from, err := f.member(a, i)
			switch {
			case err != nil:
				return entry{}, fail.Because(m.Name, err)
			case from == unknown:
				there.missing.add(m)
			case v.IsAbsent() && from == written:
				return entry{state: absent}, nil
			case v.IsAbsent():
				gone = entry{state: absent, guards: fieldSet{m}}
			case from != written:
				there.guards.add(m)
			}
		}
	}
	switch {
	case gone.state == absent:
		return gone, nil
	case len(there.missing) == 0:
		there.state = complete
	}
	return there, nil
}

// value is an attribute's value after the update; nil where it is absent, not known or not valid. What an
// example says counts where it is the item as it was read.
func (f *facts) value(a *core.KeyAttr) types.AttributeValue {
	for i := range a.Members {
		v, from, err := f.member(a, i)
		if err != nil || v.IsAbsent() || from == unknown || from == example && !f.asRead {
			return nil
		}
	}
	av, err := f.render(a)
	if err != nil {
		return nil // said where the key is rendered
	}
	return av
}

// render gives the attribute's value; its members are known.
func (f *facts) render(a *core.KeyAttr) (types.AttributeValue, error) {
	var few [4]keys.Value
	vals := few[:0]
	for i, m := range a.Members {
		v, _, err := f.member(a, i)
		if err != nil {
			return nil, fail.Because(m.Name, err)
		}
		vals = append(vals, v)
	}
	av, err := a.Render(vals)
	return av, fail.Because(a.Name, err)
}
