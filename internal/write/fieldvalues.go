package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// fieldValues holds the known values of the item after an update.
type fieldValues struct {
	plan      *core.Plan
	assigned  map[*codec.Field]assignment // the fields that the update changes
	example   codec.Ptr                   // the example
	asRead    bool                        // zero values in the example count
	stored    *storedItem                 // the item read before the write; nil: not read
	mayCreate bool                        // the update may create the item
}

// assignment is the value of a changed field after the write. It is unknown if only DynamoDB
// computes it.
type assignment struct {
	value keys.Value
	known bool
}

// source is the source of a value. It determines whether the write needs a condition on the value.
type source uint8

const (
	sourceUnknown source = iota
	sourceCall           // by this write, or determined by the table's key: needs no condition
	sourceExample        // from the example: needs a condition
	sourceItem           // from the item read before: needs a condition
)

// setKnown records a field that the write sets to a known value.
func (f *fieldValues) setKnown(field *codec.Field, v keys.Value) {
	f.assigned[field] = assignment{value: v, known: true}
}

// setUnknown records a field whose value after the write is unknown.
func (f *fieldValues) setUnknown(field *codec.Field) { f.assigned[field] = assignment{} }

// member returns the value of a key member after the write and its origin.
func (f *fieldValues) member(a *core.KeyAttr, i int) (keys.Value, source, error) {
	field := a.Members[i]
	if determinedByTableKey(f.plan, a, i) {
		v, err := f.plan.Value(field, f.example)
		return v, sourceCall, err
	}
	if t, ok := f.assigned[field]; ok {
		if !t.known {
			return keys.Value{}, sourceUnknown, nil
		}
		return t.value, sourceCall, nil
	}
	v, gives, err := f.fromExample(field)
	switch {
	case err != nil || gives:
		return v, sourceExample, err
	case f.stored == nil:
		return keys.Value{}, sourceUnknown, nil
	}
	v, err = f.stored.value(field)
	return v, sourceItem, err
}

// fromExample returns the example's value of a field and whether it counts. A key-only field does
// not count, because a condition cannot check it. A member of the table's key does not count if the
// item was read, because it only identifies the item.
func (f *fieldValues) fromExample(field *codec.Field) (v keys.Value, ok bool, err error) {
	switch {
	case field.KeyOnly, f.stored != nil && f.plan.TableMember(field), field.IsZero(f.example) && !f.asRead:
		return v, false, nil
	}
	v, err = f.plan.Value(field, f.example)
	return v, err == nil && (f.asRead || !v.IsAbsent()), err
}
