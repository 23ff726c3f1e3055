package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// facts is what an update knows about the item as it will be after it.
type facts struct {
	plan   *core.Plan
	set    map[*codec.Field]fact // the fields that the update touches
	given  codec.Ptr             // the example
	asRead bool                  // its zero values are given too
	met    *reading              // the item read before; nil: it was not read
	fresh  bool                  // the item may be new
}

// fact is a touched field's value after the write; unknown where only the table computes it.
type fact struct {
	value keys.Value
	known bool
}

// origin says where a fact comes from, and so whether the write must be guarded by it.
type origin uint8

const (
	unknown origin = iota
	written        // by this write, or settled by the table's key: certain
	example        // told by the caller: must be guarded
	read           // read before: must be guarded
)

// touches notes a field that the write sets to a value that is known.
func (f *facts) touches(field *codec.Field, v keys.Value) { f.set[field] = fact{value: v, known: true} }

// blurs notes a field whose value after the write only the table will know.
func (f *facts) blurs(field *codec.Field) { f.set[field] = fact{} }

// member tells the value of a key's member after the write, and where that is known from.
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

// gives reports whether the example tells a field's value. A field without an attribute of its own cannot
// be guarded, so being told is not knowing. A part of the table's key names the item and, where the item
// was read, says no more.
func (f *facts) gives(field *codec.Field) (v keys.Value, ok bool, err error) {
	switch {
	case field.KeyOnly, f.met != nil && f.plan.TableMember(field), field.IsZero(f.given) && !f.asRead:
		return v, false, nil
	}
	v, err = f.plan.Value(field, f.given)
	return v, err == nil && (f.asRead || !v.IsAbsent()), err
}
