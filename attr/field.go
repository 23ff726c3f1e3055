package attr

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Field is a handle of a field: the typed name of an attribute of entity T that holds an F, or of a place inside one. It is one word,
// immutable, and needs no table. The zero Field names nothing: whatever is made of it is refused when it is used.
type Field[T, F any] struct {
	_    [0]func() // no ==: it would compare handles, where a condition was meant
	path *core.Path
}

// Eq holds where the attribute is there and is stored as v would be. Of a field with omitempty, a value that Put leaves out is never there
// to be met: ask NotExists instead. A time equals another of any zone, as long as it is stored as Put stores it, in UTC; or to the second where the field is
// stored in seconds.
func (f Field[T, F]) Eq(v F) KeyCond[T] { return keyCond[T]{expr.Ask(expr.Eq, f.path, &v)} }

// Ne holds where the attribute differs from v, and also where it is absent.
func (f Field[T, F]) Ne(v F) Cond[T] { return cond[T]{expr.Ask(expr.Ne, f.path, &v)} }

// Lt holds where the attribute is there and less than v. Text and bytes compare byte by byte, numbers as numbers; booleans, lists, maps
// and sets have no order and are refused, but that a key sorts false before true. A time that is stored
// as text compares as a time does, as long as it is stored as Put stores it: in UTC.
func (f Field[T, F]) Lt(v F) KeyCond[T] { return keyCond[T]{expr.Ask(expr.Lt, f.path, &v)} }

// Le holds where the attribute is there and not greater than v; see [Field.Lt].
func (f Field[T, F]) Le(v F) KeyCond[T] { return keyCond[T]{expr.Ask(expr.Le, f.path, &v)} }

// Gt holds where the attribute is there and greater than v; see [Field.Lt].
func (f Field[T, F]) Gt(v F) KeyCond[T] { return keyCond[T]{expr.Ask(expr.Gt, f.path, &v)} }

// Ge holds where the attribute is there and not less than v; see [Field.Lt].
func (f Field[T, F]) Ge(v F) KeyCond[T] { return keyCond[T]{expr.Ask(expr.Ge, f.path, &v)} }

// Between holds where the attribute is there and lo <= it <= hi, both ends included; see [Field.Lt]. Reversed bounds are refused. For a
// period of time use [During], whose end is excluded.
func (f Field[T, F]) Between(lo, hi F) KeyCond[T] {
	return keyCond[T]{expr.Ask(expr.Between, f.path, &lo, &hi)}
}

// In holds where the attribute is there and equals one of vs: at least 1, at most 100.
func (f Field[T, F]) In(vs ...F) Cond[T] {
	args := make([]any, len(vs))
	for i := range vs {
		v := vs[i]
		args[i] = &v
	}
	return cond[T]{expr.Ask(expr.In, f.path, args...)}
}

// Exists holds where the attribute is there, whatever it holds; a NULL is there.
func (f Field[T, F]) Exists() Cond[T] { return cond[T]{expr.Ask(expr.Exists, f.path)} }

// NotExists holds where the attribute is not there: never set, removed, or left out by omitempty.
func (f Field[T, F]) NotExists() Cond[T] { return cond[T]{expr.Ask(expr.NotExists, f.path)} }

// IsType holds where the attribute is there and stored as that type.
func (f Field[T, F]) IsType(t Type) Cond[T] {
	c := expr.Ask(expr.Type, f.path)
	c.Type = string(t)
	return cond[T]{c}
}

// EqField holds where both attributes are there and equal.
func (f Field[T, F]) EqField(o Field[T, F]) Cond[T] { return compare(expr.Eq, f, o) }

// NeField holds where the attributes differ, and also where one of them is absent.
func (f Field[T, F]) NeField(o Field[T, F]) Cond[T] { return compare(expr.Ne, f, o) }

// LtField holds where both attributes are there and this one is less. Times that are stored as text cannot be compared so and are
// refused: their fractions differ in width.
func (f Field[T, F]) LtField(o Field[T, F]) Cond[T] { return compare(expr.Lt, f, o) }

// LeField holds where both attributes are there and this one is not greater; see [Field.LtField].
func (f Field[T, F]) LeField(o Field[T, F]) Cond[T] { return compare(expr.Le, f, o) }

// GtField holds where both attributes are there and this one is greater; see [Field.LtField].
func (f Field[T, F]) GtField(o Field[T, F]) Cond[T] { return compare(expr.Gt, f, o) }

// GeField holds where both attributes are there and this one is not less; see [Field.LtField].
func (f Field[T, F]) GeField(o Field[T, F]) Cond[T] { return compare(expr.Ge, f, o) }

func compare[T, F any](op expr.Op, f, o Field[T, F]) Cond[T] {
	return cond[T]{expr.Compare(op, f.path, o.path)}
}

// Set makes v the value. A value that Put would leave out removes the attribute, so that Set stores exactly what Put stores. Below a
// parent that is absent, the update fails with the outcome of a failed condition. To change what is there, by its type: [Add], [Append],
// [Prepend], [SetAdd], [SetDelete].
func (f Field[T, F]) Set(v F) Change[T] { return change[T]{expr.Alter(expr.Set, f.path, &v)} }

// SetIfAbsent makes v the value where the attribute is not there. A value that Put would leave out changes nothing.
func (f Field[T, F]) SetIfAbsent(v F) Change[T] {
	return change[T]{expr.Alter(expr.SetIfAbsent, f.path, &v)}
}

// Remove removes the attribute. An element of a list that is removed moves those behind it up. A plain
// number or bool that an index key holds cannot be removed: it would be read as its zero, which is another
// key. Set it, or make the field a pointer or omitempty.
func (f Field[T, F]) Remove() Change[T] { return change[T]{expr.Alter(expr.Remove, f.path)} }
