package entity

import (
	"context"
	"iter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/repo"
)

// BatchOption is an option of [Repo.PutMany], [Repo.DeleteMany] and [WriteMany].
type BatchOption interface{ batch(*repo.BatchOptions) }

type batchOption func(*repo.BatchOptions)

func (o batchOption) batch(b *repo.BatchOptions) { o(b) }

// Concurrency limits the number of requests that a batch write sends at the same time. The default
// is 4; it also replaces an n below 1.
func Concurrency(n int) BatchOption {
	return batchOption(func(b *repo.BatchOptions) { b.Concurrency = n })
}

// Progress calls f after each request of a batch write, in the goroutine of the caller.
func Progress(f func(BatchProgress)) BatchOption {
	return batchOption(func(b *repo.BatchOptions) {
		if b.Progress = nil; f != nil {
			b.Progress = func(p repo.BatchProgress) { f(BatchProgress(p)) }
		}
	})
}

// BatchProgress is the progress of a batch write after a request.
type BatchProgress struct {
	Consumed int // arguments that were taken from the sequence
	Applied  int
	Failed   int
	Retried  int // writes that were sent again because DynamoDB did not process them
	Requests int
	Capacity trestle.Capacity
}

// PutMany puts the entities of a sequence, in requests of 25. [slices.Values] returns the sequence
// of a slice. Each put has the effect and costs the write units of [Repo.Put], also after a lost
// reply: a put without a condition is sent again. PutMany is not a transaction: other operations
// may run between any two puts, and some puts may fail.
//
// BatchWriteItem has no conditions. A put that has one, because its type has a version or shares a
// key template, and a put of a type with unique values are therefore requests of their own. If two
// entities have the same unique value, the first one gets it. A value that one put frees may still
// be taken when another put of the same sequence needs it: the error is then [trestle.ErrTaken].
//
// PutMany takes entities from the sequence as it sends them, so the sequence can be larger than
// memory. It sends four requests at the same time ([Concurrency]). Puts of the same item are
// applied in the order of the sequence. An entity is stamped after its put is applied; until
// PutMany returns, the program must not change or reuse an entity. While the sequence waits for its
// next entity, PutMany handles no replies, so the sequence must not wait for an earlier put.
//
// PutMany sends again what DynamoDB leaves unprocessed, with a backoff that grows to some seconds.
// Set a deadline in ctx to limit the time. A failure of one put does not stop the others, for
// example [trestle.ErrInvalid], [trestle.ErrLimit], [trestle.ErrStale] or [trestle.ErrUnknown].
// PutMany stops, and takes no more entities, if a request fails for a reason that concerns all
// (missing permissions, a missing table, a lost connection), if the context ends, after eight
// consecutive requests without a processed put, and after 1,000 failures.
//
// After any failure the error is a [*trestle.UnprocessedError]. [trestle.Unprocessed] returns the
// entities that were taken and were not applied, or may not have been, and Failures has the error
// of each. All other entities that were taken are applied. [errors.Is] reports whether any put
// failed with an error.
//
//go:noinline
func (r *Repo[T]) PutMany(ctx context.Context, entities iter.Seq[*T], options ...BatchOption) error {
	return (*repo.Repo)(r).PutMany(ctx, entities, batchOptions(options))
}

// DeleteMany deletes the items with the keys of the examples, in requests of 25. Each deletion has
// the effect and costs the write units of [Repo.Delete]. An example with a version is a request of
// its own. Everything else is as for [Repo.PutMany].
//
//go:noinline
func (r *Repo[T]) DeleteMany(ctx context.Context, examples iter.Seq[T], options ...BatchOption) error {
	return (*repo.Repo)(r).DeleteMany(ctx, examples, batchOptions(options))
}

// WriteMany sends the operations of a sequence. They may be of several types and of several tables
// of one client. Puts and deletes without conditions, tokens and returned items are sent in
// requests of 25, each other operation in a request of its own. Each has the effect, the cost and
// the promises that it has alone. Everything else is as for [Repo.PutMany]; an operation on the
// same item as an earlier one follows it.
//
// An operation with a token ([Op.Once]) that was not sent may have been applied by an earlier call,
// so its error is [trestle.ErrUnknown].
//
// WriteMany discards what operations return. It does not accept a get. The observer and the call
// options of batches are those of the repository of the first operation.
func WriteMany(ctx context.Context, operations iter.Seq[Operation], options ...BatchOption) error {
	return repo.WriteMany(ctx, func(yield func(any, *repo.Op) bool) {
		if operations == nil {
			return
		}
		for o := range operations {
			var own *repo.Op
			if o != nil {
				own = o.operation()
			}
			if !yield(o, own) {
				return
			}
		}
	}, batchOptions(options))
}

//go:noinline
func batchOptions(options []BatchOption) (b repo.BatchOptions) {
	for _, o := range options {
		if o != nil {
			o.batch(&b)
		}
	}
	return b
}
