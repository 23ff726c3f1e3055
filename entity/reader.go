package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/repo"
)

// Reader reads items of a repository. Package query accepts it as well as a [Repo].
type Reader[T any] repo.Repo

// Get reads the item of the example's key. It returns [trestle.ErrNotFound] if there is no item, or
// if the item with that key is of another type. It costs half a read unit per 4 KB of the item,
// rounded up, and twice that through [Repo.Strong].
//
//go:noinline
func (r *Reader[T]) Get(ctx context.Context, example T) (T, error) {
	var item T
	err := get(ctx, (*repo.Repo)(r), &example, &item)
	return item, err
}

// GetOp returns Get as an operation, which can be sent, inspected and explained.
//
//go:noinline
func (r *Reader[T]) GetOp(example T) *Op[T] {
	return (*Op[T])(newOp((*repo.Repo)(r), repo.Get, &example, nil))
}

// GetMany reads the items of many keys in batches of 100, with up to 4 requests at the same time.
// It returns them in the order of the examples, with nil for an item that does not exist. It reads
// repeated examples once. Each item costs what Get costs.
//
// GetMany retries keys that DynamoDB returns as unprocessed, with a backoff that grows to some
// seconds, and with one request at a time until DynamoDB processes a whole one. Set a deadline in
// ctx to limit the time. It gives up after eight consecutive requests
// without a processed key. If it gives up, a request fails, or an item cannot be decoded, the error
// is an [*trestle.UnprocessedError]. [trestle.Unprocessed] then returns the examples whose items
// were not read or not decoded. The result has the items of all others.
//
//go:noinline
func (r *Reader[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	found := make([]*T, len(examples))
	return found, (*repo.Repo)(r).GetMany(ctx, examples, found)
}

// ExplainMany explains [Reader.GetMany] without sending it. Each distinct item costs what Get
// costs. The number of examples replaces the assumed number of items. Only the first assumption
// counts.
//
//go:noinline
func (r *Reader[T]) ExplainMany(examples []T, assume ...trestle.Assumption) (trestle.Explanation, error) {
	return (*repo.Repo)(r).ExplainMany(examples, assume)
}

// Type returns the type of the items.
//
//go:noinline
func (r *Reader[T]) Type() *Type[T] {
	t, _ := (*repo.Repo)(r).Public().(*Type[T])
	return t
}

// Source is what queries and projections read from: a [Repo] or a [Reader] of T. No other type
// implements it.
type Source[T any] interface {
	source(*T)
	opener
}

//go:noinline
func (r *Repo[T]) source(*T) {}

//go:noinline
func (r *Reader[T]) source(*T) {}
