package attr

import "github.com/trestledb/trestle/internal/expr"

// Cond is a condition on an item of entity T: what Put, Overwrite, Delete and [If] take. Handles and the functions of this package make
// it; it is immutable and may be used again. Its text forms show its shape, never an operand.
type Cond[T any] interface {
	sealed(*T)
	tree() *expr.Cond
}

// KeyCond is a condition that a key may serve: what a query's Where takes. Every one is a [Cond] too.
type KeyCond[T any] interface {
	Cond[T]
	keyed(*T)
}

// cond is the implementation of every Cond and KeyCond.
type cond[T any] expr.Cond

func (*cond[T]) sealed(*T)          {}
func (*cond[T]) keyed(*T)           {}
func (c *cond[T]) tree() *expr.Cond { return (*expr.Cond)(c) }

// And holds where every one of the conditions holds; at least one must be given.
func And[T any](conds ...Cond[T]) Cond[T] {
	return (*cond[T])(expr.Join(expr.And, expr.CondsOf(conds)))
}

// Or holds where one of the conditions holds, or several; at least one must be given.
func Or[T any](conds ...Cond[T]) Cond[T] { return (*cond[T])(expr.Join(expr.Or, expr.CondsOf(conds))) }

// Not holds where the condition does not. An absent attribute makes most conditions false, and their Not true.
func Not[T any](c Cond[T]) Cond[T] {
	return (*cond[T])(expr.Join(expr.Not, expr.CondsOf([]Cond[T]{c})))
}
