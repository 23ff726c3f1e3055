package attr

import "github.com/trestledb/trestle/internal/expr"

// Cond is a condition on an item of entity T. Put, Overwrite, Delete and [If] take conditions. The
// methods of handles and the functions of this package return them. A Cond is immutable and
// reusable. Printed, it shows its structure, never an operand.
type Cond[T any] interface {
	anyCond
	sealed(*T)
}

// KeyCond is a condition that a key condition can implement. A query's Where takes it. Every
// KeyCond is also a [Cond].
type KeyCond[T any] interface {
	Cond[T]
	keyed(*T)
}

// anyCond lets the library read conditions without the type parameter.
type anyCond = expr.AnyCond

// cond is the implementation of every Cond and KeyCond.
type cond[T any] struct{ *expr.Cond }

//go:noinline
func (cond[T]) sealed(*T) {}

//go:noinline
func (cond[T]) keyed(*T) {}

// And holds if all conditions hold. It needs at least one condition.
func And[T any](conds ...Cond[T]) Cond[T] {
	return cond[T]{expr.Join(expr.And, expr.CondsOf(conds))}
}

// Or holds if at least one condition holds. It needs at least one condition.
func Or[T any](conds ...Cond[T]) Cond[T] { return cond[T]{expr.Join(expr.Or, expr.CondsOf(conds))} }

// Not holds if the condition does not hold. Most conditions on an absent attribute are false, so
// their Not is true.
func Not[T any](c Cond[T]) Cond[T] {
	return cond[T]{expr.Join(expr.Not, expr.CondsOf([]Cond[T]{c}))}
}
