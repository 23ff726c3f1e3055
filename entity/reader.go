package entity

import "context"

// Reader is the reading side of a repository. Package query takes it as well as a [Repo].
type Reader[T any] struct {
	v *view
	d *definition
}

// Get reads the item of the example's key. [ErrNotFound]: there is none, or it is of another type with the same key. It costs half a read unit
// for each 4 KB of the item begun, and twice that through [Repo.Strong].
func (r *Reader[T]) Get(ctx context.Context, example T) (T, error) {
	var item T
	err := (*repo)(r).get(ctx, &example, &item)
	return item, err
}

// GetOp makes Get into an operation: a value to send, to look at, and to explain.
func (r *Reader[T]) GetOp(example T) *Op[T] { return (*Op[T])((*repo)(r).op(getVerb, &example)) }

// Type is what the reader reads.
func (r *Reader[T]) Type() *Type[T] { return &Type[T]{(*repo)(r).parts().d} }

// Source is what queries and projections read from: a [Repo] or a [Reader] of T. No other type can be one.
type Source[T any] interface {
	source(*T)
	opener
}

func (r *Repo[T]) source(*T)   {}
func (r *Reader[T]) source(*T) {}
