package attr

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// Pair is two attributes of an item of T, to be compared with each other. [Compare] returns it.
type Pair[T any] struct{ left, right *core.Path }

// Compare compares two attributes of an item with each other:
//
//	employees.Update(ctx, e, Status.Set("settled"), attr.If(attr.Compare(Paid, Total).Ge()))
//
// Both attributes must have the same Go type and the same stored form.
func Compare[T, F any](f, other *Field[T, F]) *Pair[T] {
	return (*Pair[T])(newPair((*handle)(f), (*handle)(other)))
}

// Eq holds if both attributes exist and are equal.
//
//go:noinline
func (p *Pair[T]) Eq() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Eq)} }

// Ne holds if the attributes differ or if one of them is absent.
//
//go:noinline
func (p *Pair[T]) Ne() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Ne)} }

// Lt holds if both attributes exist and the first is less. Times that are stored as text are an
// error, because their fractions differ in width.
//
//go:noinline
func (p *Pair[T]) Lt() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Lt)} }

// Le holds if both attributes exist and the first is not greater; see [Pair.Lt].
//
//go:noinline
func (p *Pair[T]) Le() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Le)} }

// Gt holds if both attributes exist and the first is greater; see [Pair.Lt].
//
//go:noinline
func (p *Pair[T]) Gt() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Gt)} }

// Ge holds if both attributes exist and the first is not less; see [Pair.Lt].
//
//go:noinline
func (p *Pair[T]) Ge() Cond[T] { return cond[T]{(*pair)(p).cond(expr.Ge)} }

// String returns both paths, such as "paid, total".
//
//go:noinline
func (p *Pair[T]) String() string { return (*pair)(p).String() }

// pair is a Pair without its type parameter.
type pair struct{ left, right *core.Path }

func newPair(f, other *handle) *pair { return &pair{f.pathOrNil(), other.pathOrNil()} }

//go:noinline
func (p *pair) cond(op expr.Op) *expr.Cond {
	if p == nil {
		p = new(pair)
	}
	return expr.NewComparison(op, p.left, p.right)
}

func (p *pair) String() string {
	if p == nil {
		p = new(pair)
	}
	return p.left.String() + ", " + p.right.String()
}
