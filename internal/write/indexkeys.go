package write

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// indexUpdate is what an update does to the rendered index attributes.
type indexUpdate struct {
	changes  []attributeChange
	required fieldSet // the fields whose values in the example or the stored item are relied on
	unknown  fieldSet // the unknown fields; if there are any, the changes are incomplete
}

// attributeChange sets or removes a rendered index attribute.
type attributeChange struct {
	attr  *core.KeyAttr
	value types.AttributeValue // nil: remove the attribute
}

// membership is whether an item is on an index after the update.
type membership uint8

const (
	membershipUnknown membership = iota
	onIndex                      // all key attributes are present
	notOnIndex                   // at least one is absent
)

// indexKeys determines for each rendered index attribute whether it is unchanged, rendered, removed
// or unknown.
func (v *fieldValues) indexKeys() (indexUpdate, error) {
	var u indexUpdate
	for _, a := range v.Plan.Attrs {
		changes := func(x *core.IndexKey) bool { return x.Key.Has(a) && v.changesIndex(x) }
		if !a.Rendered() || !slices.ContainsFunc(v.Plan.Indexes, changes) {
			continue
		}
		if err := v.updateAttribute(a, &u); err != nil {
			return u, err
		}
	}
	return u, nil
}

// changesIndex reports whether the update changes a member of the index's key. An upsert also
// changes every index whose key consists only of members of the table's key, because the item may
// be new.
func (v *fieldValues) changesIndex(x *core.IndexKey) bool {
	if v.mayCreate() && v.Plan.Constant(x) {
		return true
	}
	for f := range v.assigned {
		if x.Key.HasMember(f) {
			return true
		}
	}
	return false
}

// updateAttribute adds the change of one attribute. The attribute is present if the item is on any
// index that contains it, including indexes that the update does not change.
func (v *fieldValues) updateAttribute(a *core.KeyAttr, u *indexUpdate) error {
	var absent, unknown fieldSet
	for _, x := range v.Plan.Indexes {
		if !x.Key.Has(a) {
			continue
		}
		is, fields, err := v.membership(x)
		if err != nil {
			return err
		}
		switch is {
		case onIndex:
			u.required.add(fields...)
			av, err := v.render(a)
			u.changes = append(u.changes, attributeChange{attr: a, value: av})
			return err
		case notOnIndex:
			absent.add(fields...)
		default:
			unknown.add(fields...)
		}
	}
	if len(unknown) > 0 {
		u.unknown.add(unknown...)
		return nil
	}
	u.required.add(absent...)
	u.changes = append(u.changes, attributeChange{attr: a})
	return nil
}

// membership returns whether the item will be on an index, and the fields that need a condition for
// that to hold, or the unknown fields. One absent member is enough to keep the item off the index.
func (v *fieldValues) membership(x *core.IndexKey) (membership, fieldSet, error) {
	var present, absent, unknown fieldSet
	for a := range x.Key.Attributes() {
		if a.Table {
			continue // every item has it
		}
		for i, f := range a.Members {
			value, from, err := v.member(a, i)
			switch {
			case err != nil:
				return membershipUnknown, nil, err
			case from == sourceUnknown:
				unknown.add(f)
			case value.IsAbsent() && from == sourceCall:
				return notOnIndex, nil, nil
			case value.IsAbsent():
				absent = fieldSet{f}
			case from != sourceCall:
				present.add(f)
			}
		}
	}
	switch {
	case absent != nil:
		return notOnIndex, absent, nil
	case unknown != nil:
		return membershipUnknown, unknown, nil
	default:
		return onIndex, present, nil
	}
}

// knownAttribute returns an attribute's value after the update. It is nil if the value is absent,
// unknown or invalid. Values from the example count only if the example is the item as it was read.
func (v *fieldValues) knownAttribute(a *core.KeyAttr) types.AttributeValue {
	for i := range a.Members {
		value, from, err := v.member(a, i)
		if err != nil || value.IsAbsent() || from == sourceUnknown || from == sourceExample && !v.AsRead {
			return nil
		}
	}
	av, err := v.render(a)
	if err != nil {
		return nil // reported when the key is rendered
	}
	return av
}

// render returns the value of an attribute whose members are known.
func (v *fieldValues) render(a *core.KeyAttr) (types.AttributeValue, error) {
	var buffer [4]keys.Value
	values := buffer[:0]
	for i := range a.Members {
		value, _, err := v.member(a, i)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	av, err := a.Render(values)
	return av, errs.Wrap(a.Name, err)
}
