package attr

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Length is the size of an attribute, as [Size] tells it.
type Length[T any] struct{ path *core.Path }

// Size is the size of an attribute, to be compared: the length of a text in characters, of which
// those above U+FFFF may count as two; the bytes of a binary; the elements of a list, map or set.
// Of the size of an attribute that is absent nothing holds but Ne. A field that is stored as a
// number or a boolean has no size and is refused. So is one that is a key by itself in a format,
// unless the format is lower, upper or hex: there the size is that of the value.
func Size[T, F any](f *Field[T, F]) *Length[T] { return (*Length[T])((*handle)(f)) }

// Eq holds where the size is n.
func (l *Length[T]) Eq(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Eq, &n)) }

// Ne holds where the size is not n, and also where the attribute is absent.
func (l *Length[T]) Ne(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Ne, &n)) }

// Lt holds where the size is less than n.
func (l *Length[T]) Lt(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Lt, &n)) }

// Le holds where the size is not greater than n.
func (l *Length[T]) Le(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Le, &n)) }

// Gt holds where the size is greater than n.
func (l *Length[T]) Gt(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Gt, &n)) }

// Ge holds where the size is not less than n.
func (l *Length[T]) Ge(n int) Cond[T] { return (*cond[T])((*handle)(l).size(expr.Ge, &n)) }

// Between holds where lo <= size <= hi.
func (l *Length[T]) Between(lo, hi int) Cond[T] {
	return (*cond[T])((*handle)(l).size(expr.Between, &lo, &hi))
}

// size makes a condition on the size of an attribute.
//
//go:noinline
func (h *handle) size(op expr.Op, operands ...any) *expr.Cond {
	c := expr.Ask(op, h.at(), operands...)
	c.Size = true
	return c
}
