package entity

import "context"

// Reader reads items of a repository. Package query accepts it as well as a [Repo].
type Reader[T any] struct {
	v *view
	d *definition
}

// Get reads the item of the example's key. It returns [ErrNotFound] if there is no item, or if the
// item with that key is of another type. It costs half a read unit per 4 KB of the item, rounded
// up, and twice that through [Repo.Strong].
func (r *Reader[T]) Get(ctx context.Context, example T) (T, error) {
	var item T
	err := (*repo)(r).get(ctx, &example, &item)
	return item, err
}

// GetOp returns Get as an operation, which can be sent, inspected and explained.
func (r *Reader[T]) GetOp(example T) *Op[T] { return (*Op[T])((*repo)(r).op(getVerb, &example)) }

// Type returns the type of the items.
func (r *Reader[T]) Type() *Type[T] {
	t, _ := (*repo)(r).typ().(*Type[T])
	return t
}

// Source is what queries and projections read from: a [Repo] or a [Reader] of T. No other type
// implements it.
type Source[T any] interface {
	source(*T)
	opener
}

func (r *Repo[T]) source(*T)   {}
func (r *Reader[T]) source(*T) {}
