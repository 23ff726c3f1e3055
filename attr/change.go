package attr

import "github.com/trestledb/trestle/internal/expr"

// Change is one change of an item of entity T. Update and Upsert take changes. A Change is
// immutable and reusable. Printed, it shows its structure, never an operand.
type Change[T any] interface {
	anyChange
	sealed(*T)
}

// anyChange lets the library read changes without the type parameter.
type anyChange = expr.AnyChange

// change is the implementation of every Change.
type change[T any] struct{ *expr.Change }

//go:noinline
func (change[T]) sealed(*T) {}

// If applies the update only if all conditions hold. It needs at least one condition.
func If[T any](conds ...Cond[T]) Change[T] { return change[T]{expr.OnlyIf(expr.CondsOf(conds))} }

// Number is the type of the number that [Add] adds.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Add adds n to a number in the table. An absent attribute counts as 0.
func Add[T any, N Number](f *Field[T, N], n N) Change[T] {
	return change[T]{(*handle)(f).change(expr.Add, &n)}
}

// Append adds elements to the end of a list. It creates the list if the attribute is absent.
func Append[S ~[]E, T, E any](f *Field[T, S], e ...E) Change[T] {
	return change[T]{(*handle)(f).change(expr.Append, slice[S](e))}
}

// Prepend adds elements to the beginning of a list, in the order given; see [Append].
func Prepend[S ~[]E, T, E any](f *Field[T, S], e ...E) Change[T] {
	return change[T]{(*handle)(f).change(expr.Prepend, slice[S](e))}
}

// SetAdd adds elements to a set: a slice tagged stringset, numberset or binaryset. It creates the
// set if the attribute is absent.
func SetAdd[S ~[]E, T, E any](f *Field[T, S], e ...E) Change[T] {
	return change[T]{(*handle)(f).change(expr.SetAdd, slice[S](e))}
}

// SetDelete deletes elements from a set. DynamoDB removes the attribute if the set becomes empty.
func SetDelete[S ~[]E, T, E any](f *Field[T, S], e ...E) Change[T] {
	return change[T]{(*handle)(f).change(expr.SetDelete, slice[S](e))}
}

// slice returns a pointer to a copy of the elements. Later changes of the caller's slice do not
// affect it.
func slice[S ~[]E, E any](e []E) *S {
	s := append(make(S, 0, len(e)), e...)
	return &s
}
