package attr

import (
	"reflect"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Field is a handle: the typed name of an attribute of entity T that holds an F, or of a place
// inside one. Handles are used as pointers. They are immutable and need no table. A nil or zero
// Field names nothing: whatever is made of it is refused when it is used.
type Field[T, F any] struct{ path *core.Path }

// handle is a Field without its type parameters.
type handle struct{ path *core.Path }

// at returns the path of a handle, nil for a nil or zero one.
func (h *handle) at() *core.Path {
	if h == nil {
		return nil
	}
	return h.path
}

// The functions below are what the methods of every Field have in common. They are not inlined: the
// compiler would repeat them in each method for each type of field of each entity.

// ask makes a condition with one operand, given by a pointer.
//
//go:noinline
func (h *handle) ask(op expr.Op, operand any) *expr.Cond { return expr.Ask(op, h.at(), operand) }

// alter makes a change with one operand, given by a pointer.
//
//go:noinline
func (h *handle) alter(verb expr.Verb, operand any) *expr.Change {
	return expr.Alter(verb, h.at(), operand)
}

// between makes a condition with two operands, given by pointers.
//
//go:noinline
func (h *handle) between(lo, hi any) *expr.Cond { return expr.Ask(expr.Between, h.at(), lo, hi) }

// test makes a condition without operands.
//
//go:noinline
func (h *handle) test(op expr.Op) *expr.Cond { return expr.Ask(op, h.at()) }

// remove makes a change without operands.
//
//go:noinline
func (h *handle) remove() *expr.Change { return expr.Alter(expr.Remove, h.at()) }

// in makes a condition with copies of the elements of a slice as operands.
//
//go:noinline
func (h *handle) in(operands any) *expr.Cond {
	list := reflect.ValueOf(operands)
	args := make([]any, list.Len())
	for i := range args {
		operand := reflect.New(list.Type().Elem())
		operand.Elem().Set(list.Index(i))
		args[i] = operand.Interface()
	}
	return expr.Ask(expr.In, h.at(), args...)
}

// isType makes a condition on the type that an attribute is stored as.
//
//go:noinline
func (h *handle) isType(t Type) *expr.Cond {
	c := expr.Ask(expr.Type, h.at())
	c.Type = string(t)
	return c
}

// Eq holds where the attribute is there and is stored as v would be. Of a field with omitempty, no item has a value that Put leaves out:
// ask NotExists instead. A time equals another of any zone, as long as it is stored as Put stores it, in UTC; or to the second where the field is
// stored in seconds.
func (f *Field[T, F]) Eq(v F) KeyCond[T] { return (*cond[T])((*handle)(f).ask(expr.Eq, &v)) }

// Ne holds where the attribute differs from v, and also where it is absent.
func (f *Field[T, F]) Ne(v F) Cond[T] { return (*cond[T])((*handle)(f).ask(expr.Ne, &v)) }

// Lt holds where the attribute is there and less than v. Text and bytes compare byte by byte, numbers as numbers; booleans, lists, maps
// and sets have no order and are refused, but that a key sorts false before true. A time that is stored
// as text compares as a time does, as long as it is stored as Put stores it: in UTC. Any other type with
// a text form compares as that text: of netip.Addr, 10.0.0.10 is less than 10.0.0.9.
func (f *Field[T, F]) Lt(v F) KeyCond[T] { return (*cond[T])((*handle)(f).ask(expr.Lt, &v)) }

// Le holds where the attribute is there and not greater than v; see [Field.Lt].
func (f *Field[T, F]) Le(v F) KeyCond[T] { return (*cond[T])((*handle)(f).ask(expr.Le, &v)) }

// Gt holds where the attribute is there and greater than v; see [Field.Lt].
func (f *Field[T, F]) Gt(v F) KeyCond[T] { return (*cond[T])((*handle)(f).ask(expr.Gt, &v)) }

// Ge holds where the attribute is there and not less than v; see [Field.Lt].
func (f *Field[T, F]) Ge(v F) KeyCond[T] { return (*cond[T])((*handle)(f).ask(expr.Ge, &v)) }

// Between holds where the attribute is there and lo <= it <= hi, both ends included; see [Field.Lt]. Reversed bounds are refused. For a
// period of time use [During], whose end is excluded.
func (f *Field[T, F]) Between(lo, hi F) KeyCond[T] {
	return (*cond[T])((*handle)(f).between(&lo, &hi))
}

// In holds where the attribute is there and equals one of vs: at least 1, at most 100.
func (f *Field[T, F]) In(vs ...F) Cond[T] {
	return (*cond[T])((*handle)(f).in(vs))
}

// Exists holds where the attribute is there, whatever it holds; a NULL is there.
func (f *Field[T, F]) Exists() Cond[T] { return (*cond[T])((*handle)(f).test(expr.Exists)) }

// NotExists holds where the attribute is not there: never set, removed, or left out by omitempty.
func (f *Field[T, F]) NotExists() Cond[T] {
	return (*cond[T])((*handle)(f).test(expr.NotExists))
}

// IsType holds where the attribute is there and stored as that type.
func (f *Field[T, F]) IsType(t Type) Cond[T] { return (*cond[T])((*handle)(f).isType(t)) }

// Set makes v the value. A value that Put would leave out removes the attribute, so that Set stores exactly what Put stores. Below a
// parent that is absent, the update fails with the outcome of a failed condition. To change what is there, by its type: [Add], [Append],
// [Prepend], [SetAdd], [SetDelete].
func (f *Field[T, F]) Set(v F) Change[T] { return (*change[T])((*handle)(f).alter(expr.Set, &v)) }

// SetIfAbsent makes v the value where the attribute is not there. A value that Put would leave out changes nothing.
func (f *Field[T, F]) SetIfAbsent(v F) Change[T] {
	return (*change[T])((*handle)(f).alter(expr.SetIfAbsent, &v))
}

// Remove removes the attribute. An element of a list that is removed moves those behind it up. A plain
// number or bool that an index key holds cannot be removed: it would be read as its zero, which is another
// key. Set it, or make the field a pointer or omitempty.
func (f *Field[T, F]) Remove() Change[T] {
	return (*change[T])((*handle)(f).remove())
}
