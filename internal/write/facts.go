package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// facts holds the known values of the item after an update.
type facts struct {
	plan   *core.Plan
	set    map[*codec.Field]fact // the fields that the update changes
	given  codec.Ptr             // the example
	asRead bool                  // zero values in the example count
	met    *reading              // the item read before the write; nil: not read
	fresh  bool                  // the update may create the item
}

// fact is the value of a changed field after the write. It is unknown if only DynamoDB computes it.
type fact struct {
	value keys.Value
	known bool
}

// origin is the source of a value. It determines whether the write needs a condition on the value.
type origin uint8

const (
	unknown origin = iota
	written        // by this write, or determined by the table's key: needs no condition
	example        // from the example: needs a condition
	read           // from the item read before: needs a condition
)

// touches records a field that the write sets to a known value.
func (f *facts) touches(field *codec.Field, v keys.Value) { f.set[field] = fact{value: v, known: true} }

// blurs records a field whose value after the write is unknown.
func (f *facts) blurs(field *codec.Field) { f.set[field] = fact{} }

// member returns the value of a key member after the write and its origin.
func (f *facts) member(a *core.KeyAttr, i int) (keys.Value, origin, error) {
	field := a.Members[i]
	if settles(f.plan, a, i) {
		v, err := f.plan.Value(field, f.given)
		return v, written, err
	}
	if t, ok := f.set[field]; ok {
		if !t.known {
			return keys.Value{}, unknown, nil
		}
		return t.value, written, nil
	}
	v, gives, err := f.gives(field)
	switch {
	case err != nil || gives:
		return v, example, err
	case f.met == nil:
		return keys.Value{}, unknown, nil
	}
	v, err = f.met.value(field)
	return v, read, err
}

// gives returns the example's value of a field and whether it counts. A key-only field does not
// count, because a condition cannot check it. A member of the table's key does not count if the
// item was read, because it only identifies the item.
func (f *facts) gives(field *codec.Field) (v keys.Value, ok bool, err error) {
	switch {
	case field.KeyOnly, f.met != nil && f.plan.TableMember(field), field.IsZero(f.given) && !f.asRead:
		return v, false, nil
	}
	v, err = f.plan.Value(field, f.given)
	return v, err == nil && (f.asRead || !v.IsAbsent()), err
}
