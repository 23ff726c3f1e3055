package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// fieldValues is what an update knows about the item's fields after the write.
type fieldValues struct {
	*updateCall
	assigned map[*codec.Field]assignment // the fields that the update changes
	stored   *storedItem                 // the item read before the write; nil: not read
}

// assignment is the value of a changed field after the write. It is unknown if only DynamoDB
// computes it.
type assignment struct {
	value keys.Value
	known bool
}

// source is where the value of a field is known from. It determines whether the write needs a
// condition on the value.
type source uint8

const (
	sourceUnknown source = iota
	sourceCall           // this call writes it, or the table's key determines it: needs no condition
	sourceExample        // needs a condition
	sourceStored         // the item read before: needs a condition
)

// setKnown records a field that the write sets to a known value.
func (v *fieldValues) setKnown(f *codec.Field, value keys.Value) {
	v.assigned[f] = assignment{value: value, known: true}
}

// setUnknown records a field whose value after the write is unknown.
func (v *fieldValues) setUnknown(f *codec.Field) { v.assigned[f] = assignment{} }

// member returns the value of member i of a key attribute after the write, and its source.
func (v *fieldValues) member(a *core.KeyAttr, i int) (keys.Value, source, error) {
	f := a.Members[i]
	if determinedByTableKey(v.Plan, a, i) {
		value, err := fieldValue(v.Plan, f, v.Example)
		return value, sourceCall, err
	}
	if set, ok := v.assigned[f]; ok {
		if !set.known {
			return keys.Value{}, sourceUnknown, nil
		}
		return set.value, sourceCall, nil
	}
	value, ok, err := v.fromExample(f)
	switch {
	case err != nil || ok:
		return value, sourceExample, err
	case v.stored == nil:
		return keys.Value{}, sourceUnknown, nil
	}
	value, err = v.stored.value(f)
	return value, sourceStored, err
}

// fromExample returns the example's value of a field and whether it counts. A key-only field does
// not count, because a condition cannot check it. A member of the table's key does not count if the
// item was read, because it only identifies the item.
func (v *fieldValues) fromExample(f *codec.Field) (value keys.Value, ok bool, err error) {
	if f.KeyOnly || v.stored != nil && v.Plan.TableMember(f) || f.IsZero(v.Example) && !v.AsRead {
		return keys.Value{}, false, nil
	}
	value, err = fieldValue(v.Plan, f, v.Example)
	return value, err == nil && (v.AsRead || !value.IsAbsent()), err
}

// fieldValue returns a field's value as a member of keys.
func fieldValue(p *core.Plan, f *codec.Field, entity codec.Ptr) (keys.Value, error) {
	value, err := p.Value(f, entity)
	return value, errs.Wrap(f.Name, err)
}
