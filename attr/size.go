package attr

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Length is the size of an attribute, as [Size] returns it.
type Length[T any] struct{ path *core.Path }

// Size returns the size of an attribute, whose methods compare it with a number. It is the number
// of characters of a text (those above U+FFFF may count as two), of bytes of a binary, or of
// elements of a list, map or set, with those that are NULL. If the attribute is absent, only Ne
// holds. A field that is stored as a number or a boolean has no size and is an error. A field whose
// attribute is a key attribute, with a format such as <SK:day>, is an error too. The formats lower,
// upper and hex are allowed; the size is that of the value.
func Size[T, F any](f *Field[T, F]) *Length[T] { return (*Length[T])((*handle)(f)) }

// Eq holds if the size is n.
//
//go:noinline
func (l *Length[T]) Eq(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Eq, &n)} }

// Ne holds if the size is not n or the attribute is absent.
//
//go:noinline
func (l *Length[T]) Ne(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Ne, &n)} }

// Lt holds if the size is less than n.
//
//go:noinline
func (l *Length[T]) Lt(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Lt, &n)} }

// Le holds if the size is not greater than n.
//
//go:noinline
func (l *Length[T]) Le(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Le, &n)} }

// Gt holds if the size is greater than n.
//
//go:noinline
func (l *Length[T]) Gt(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Gt, &n)} }

// Ge holds if the size is not less than n.
//
//go:noinline
func (l *Length[T]) Ge(n int) Cond[T] { return cond[T]{(*handle)(l).size(expr.Ge, &n)} }

// Between holds if lo <= size <= hi.
//
//go:noinline
func (l *Length[T]) Between(lo, hi int) Cond[T] {
	return cond[T]{(*handle)(l).size(expr.Between, &lo, &hi)}
}

//go:noinline
func (h *handle) size(op expr.Op, operands ...any) *expr.Cond {
	c := expr.NewCond(op, h.pathOrNil(), operands...)
	c.Size = true
	return c
}
