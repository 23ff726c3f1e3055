package attr

import (
	"reflect"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Field is a handle: the typed name of an attribute of entity T that holds an F, or of a part of
// one. Handles are used as pointers. They are immutable and need no table. A nil or zero Field
// names no attribute; using a condition or change made from it returns an error.
type Field[T, F any] struct{ path *core.Path }

// handle is a Field without its type parameters.
type handle struct{ path *core.Path }

// pathOrNil returns the path of a handle, or nil for a nil or zero handle.
func (h *handle) pathOrNil() *core.Path {
	if h == nil {
		return nil
	}
	return h.path
}

// The functions below are shared by the methods of all Fields. They are not inlined, because the
// compiler would repeat them for each method, field type and entity.

// cond returns a condition with one operand, passed by pointer.
//
//go:noinline
func (h *handle) cond(op expr.Op, operand any) *expr.Cond {
	return expr.NewCond(op, h.pathOrNil(), operand)
}

//go:noinline
func (h *handle) change(verb expr.Verb, operand any) *expr.Change {
	return expr.NewChange(verb, h.pathOrNil(), operand)
}

//go:noinline
func (h *handle) between(lo, hi any) *expr.Cond {
	return expr.NewCond(expr.Between, h.pathOrNil(), lo, hi)
}

//go:noinline
func (h *handle) existence(op expr.Op) *expr.Cond { return expr.NewCond(op, h.pathOrNil()) }

//go:noinline
func (h *handle) remove() *expr.Change { return expr.NewChange(expr.Remove, h.pathOrNil()) }

// in returns a condition whose operands are copies of the elements of a slice.
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
	return expr.NewCond(expr.In, h.pathOrNil(), args...)
}

//go:noinline
func (h *handle) isType(t Type) *expr.Cond {
	c := expr.NewCond(expr.IsType, h.pathOrNil())
	c.Type = string(t)
	return c
}

// Eq holds if the attribute exists and its stored form equals that of v. Eq of nil, or of a set
// without elements, holds if the attribute is absent or NULL. Put leaves out an empty text or
// number of a field with omitempty, so Eq of it never holds; use NotExists instead. Times are equal
// in any zone if they are stored as Put stores them, in UTC. A field that is stored in seconds is
// compared to the second.
//
//go:noinline
func (f *Field[T, F]) Eq(v F) KeyCond[T] { return cond[T]{(*handle)(f).cond(expr.Eq, &v)} }

// Ne holds if the attribute differs from v or is absent. Ne of nil holds if the attribute exists.
//
//go:noinline
func (f *Field[T, F]) Ne(v F) Cond[T] { return cond[T]{(*handle)(f).cond(expr.Ne, &v)} }

// Lt holds if the attribute exists and is less than v. Text and bytes compare byte by byte, numbers
// as numbers. Booleans, lists, maps and sets have no order and are an error, except that a key
// sorts false before true. A time that is stored as text compares as a time if it is stored as Put
// stores it, in UTC. Any other type with a text form compares as that text: the netip.Addr
// 10.0.0.10 is less than 10.0.0.9.
//
//go:noinline
func (f *Field[T, F]) Lt(v F) KeyCond[T] { return cond[T]{(*handle)(f).cond(expr.Lt, &v)} }

// Le holds if the attribute exists and is not greater than v; see [Field.Lt].
//
//go:noinline
func (f *Field[T, F]) Le(v F) KeyCond[T] { return cond[T]{(*handle)(f).cond(expr.Le, &v)} }

// Gt holds if the attribute exists and is greater than v; see [Field.Lt].
//
//go:noinline
func (f *Field[T, F]) Gt(v F) KeyCond[T] { return cond[T]{(*handle)(f).cond(expr.Gt, &v)} }

// Ge holds if the attribute exists and is not less than v; see [Field.Lt].
//
//go:noinline
func (f *Field[T, F]) Ge(v F) KeyCond[T] { return cond[T]{(*handle)(f).cond(expr.Ge, &v)} }

// Between holds if the attribute exists and is from lo to hi, both included; see [Field.Lt].
// Reversed bounds are an error. For a period of time use [During], which excludes the end.
//
//go:noinline
func (f *Field[T, F]) Between(lo, hi F) KeyCond[T] {
	return cond[T]{(*handle)(f).between(&lo, &hi)}
}

// In holds if the attribute equals one of vs, as by [Field.Eq]. It needs 1 to 100 values.
//
//go:noinline
func (f *Field[T, F]) In(vs ...F) Cond[T] {
	return cond[T]{(*handle)(f).in(vs)}
}

// Exists holds if the attribute exists and is not NULL.
//
//go:noinline
func (f *Field[T, F]) Exists() Cond[T] { return cond[T]{(*handle)(f).existence(expr.Exists)} }

// NotExists holds if the attribute does not exist or is NULL: it was never set, was removed, or was
// left out, as nil is.
//
//go:noinline
func (f *Field[T, F]) NotExists() Cond[T] {
	return cond[T]{(*handle)(f).existence(expr.NotExists)}
}

// IsType holds if the attribute exists and is stored as type t.
//
//go:noinline
func (f *Field[T, F]) IsType(t Type) Cond[T] { return cond[T]{(*handle)(f).isType(t)} }

// Set sets the attribute to v. It removes the attribute if Put would leave out v, so Set stores
// exactly what Put stores. If the parent of the attribute is absent, the update fails like a failed
// conditional check. To change the current value, use [Add], [Append], [Prepend], [SetAdd] or
// [SetDelete], depending on its type.
//
//go:noinline
func (f *Field[T, F]) Set(v F) Change[T] { return change[T]{(*handle)(f).change(expr.Set, &v)} }

// SetIfAbsent sets the attribute to v if it does not exist or is NULL. It changes nothing if Put
// would leave out v.
//
//go:noinline
func (f *Field[T, F]) SetIfAbsent(v F) Change[T] {
	return change[T]{(*handle)(f).change(expr.SetIfAbsent, &v)}
}

// Remove removes the attribute. Removing an element of a list shifts the later elements. Removing a
// plain number or bool that is part of an index key is an error: it would be read as its zero
// value, which is another key. Set it instead, or make the field a pointer or omitempty.
//
//go:noinline
func (f *Field[T, F]) Remove() Change[T] {
	return change[T]{(*handle)(f).remove()}
}
