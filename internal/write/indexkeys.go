package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// indexUpdate holds the changes of index attributes by an update and the fields that they depend
// on.
type indexUpdate struct {
	changes  []indexChange
	required fieldSet // the fields that need a condition
	unknown  fieldSet // the unknown fields; if there are any, the decision is incomplete
}

// indexChange is the change of a rendered index attribute.
type indexChange struct {
	attr  *core.KeyAttr
	value types.AttributeValue // nil: remove the attribute
}

// entry is the state of an item on one index after the update.
type entry struct {
	state   entryState
	guards  fieldSet // the fields in the state that need a condition
	missing fieldSet // the unknown fields
}

type entryState uint8

const (
	indexUnknown entryState = iota
	onIndex                 // all key attributes are present
	notOnIndex              // at least one is absent
)

// indexes decides the changes of all rendered attributes of the indexes that the update touches.
func (f *fieldValues) indexes() (indexUpdate, error) {
	var d indexUpdate
	for _, a := range f.plan.Attrs {
		if !a.Rendered() || !f.changesAttribute(a) {
			continue
		}
		if err := f.decide(a, &d); err != nil {
			return d, err
		}
	}
	return d, nil
}

// changesAttribute reports whether the update touches an index that contains the attribute.
func (f *fieldValues) changesAttribute(a *core.KeyAttr) bool {
	for _, x := range f.plan.Indexes {
		if x.Key.Has(a) && f.changesIndex(x) {
			return true
		}
	}
	return false
}

// changesIndex reports whether the update changes a member of the index's key. A new item also
// touches every index whose key consists only of members of the table's key, although no change
// touches these members.
func (f *fieldValues) changesIndex(x *core.IndexKey) bool {
	if f.mayCreate && f.plan.Constant(x) {
		return true
	}
	for a := range x.Key.Attributes() {
		for _, m := range a.Members {
			if _, ok := f.assigned[m]; ok {
				return true
			}
		}
	}
	return false
}

// decide decides the change of one attribute. The attribute is present if any index that contains
// it is complete, including indexes that the update does not touch.
func (f *fieldValues) decide(a *core.KeyAttr, d *indexUpdate) error {
	var gone, open fieldSet
	for _, x := range f.plan.Indexes {
		if !x.Key.Has(a) {
			continue
		}
		e, err := f.onIndex(x)
		if err != nil {
			return err
		}
		switch e.state {
		case onIndex:
			d.required.add(e.guards...)
			av, err := f.render(a)
			d.changes = append(d.changes, indexChange{attr: a, value: av})
			return err
		case notOnIndex:
			gone.add(e.guards...)
		default:
			open.add(e.missing...)
		}
	}
	if len(open) > 0 {
		d.unknown.add(open...)
		return nil
	}
	d.required.add(gone...)
	d.changes = append(d.changes, indexChange{attr: a})
	return nil
}

// onIndex determines whether the item will be on an index. One member that is certainly absent is
// enough to decide that it will not.
func (f *fieldValues) onIndex(x *core.IndexKey) (entry, error) {
	var there, gone entry
	for a := range x.Key.Attributes() {
		if a.Table {
			continue // every item has it
		}
		for i, m := range a.Members {
			v, from, err := f.member(a, i)
			switch {
			case err != nil:
				return entry{}, errs.Wrap(m.Name, err)
			case from == sourceUnknown:
				there.missing.add(m)
			case v.IsAbsent() && from == sourceCall:
				return entry{state: notOnIndex}, nil
			case v.IsAbsent():
				gone = entry{state: notOnIndex, guards: fieldSet{m}}
			case from != sourceCall:
				there.guards.add(m)
			}
		}
	}
	switch {
	case gone.state == notOnIndex:
		return gone, nil
	case len(there.missing) == 0:
		there.state = onIndex
	}
	return there, nil
}

// value returns an attribute's value after the update. It is nil if the value is absent, unknown or
// invalid. Values from the example count only if the example is the item as it was read.
func (f *fieldValues) value(a *core.KeyAttr) types.AttributeValue {
	for i := range a.Members {
		v, from, err := f.member(a, i)
		if err != nil || v.IsAbsent() || from == sourceUnknown || from == sourceExample && !f.asRead {
			return nil
		}
	}
	av, err := f.render(a)
	if err != nil {
		return nil // reported when the key is rendered
	}
	return av
}

// render returns the value of an attribute whose members are known.
func (f *fieldValues) render(a *core.KeyAttr) (types.AttributeValue, error) {
	var few [4]keys.Value
	vals := few[:0]
	for i, m := range a.Members {
		v, _, err := f.member(a, i)
		if err != nil {
			return nil, errs.Wrap(m.Name, err)
		}
		vals = append(vals, v)
	}
	av, err := a.Render(vals)
	return av, errs.Wrap(a.Name, err)
}
