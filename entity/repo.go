package entity

import (
	"context"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/repo"
)

// Repo has the verbs for single items of an entity type on a table. It is small and safe for
// concurrent use; [Type.In] returns it.
//
// An example gives the key of an item: it is a T with the fields of the table key set. A plain 0 or
// false there is the value 0 or false. Other fields of an example have an effect only where a verb
// documents it. Verbs that store a whole entity take a pointer, to set its version and timestamps.
//
// A write costs one write unit per KB of the item, rounded up, and the same again for each index
// whose entry changes. Get costs half a read unit per 4 KB, rounded up, and twice that with Strong.
//
// Every error is a [*trestle.OpError]. Problems of an entity, a key or a change are all reported
// together, before anything is sent. The error is [trestle.ErrLimit] if the only problems are
// limits of the service, otherwise [trestle.ErrInvalid]. An attempt that was certainly not applied,
// such as a throttled one, is retried as often as the client's retryer allows. An attempt whose
// reply is lost is retried only if applying the write twice has the effect of applying it once.
// Otherwise the write is [trestle.ErrUnknown].
type Repo[T any] repo.Repo

// Create stores an item that does not exist; [trestle.ErrExists] if it does. A versioned item gets
// version 1.
//
// If the reply is lost, the error is [trestle.ErrUnknown]. The version and timestamps of e are set
// only on success.
//
//go:noinline
func (r *Repo[T]) Create(ctx context.Context, e *T) error {
	return do(ctx, (*repo.Repo)(r), repo.Create, e, nil)
}

// Put stores an item and replaces an existing one. For a versioned type the existing item must have
// the version of e, or the error is [trestle.ErrStale]. Version 0 means that there is no item, or
// one without the version attribute: an item that was stored before its type had the role version.
// It gets version 1. For other types only the conditions must hold, or the error is
// [trestle.ErrCondition].
//
// Without version and conditions the write is retried if its reply is lost; such a retry overwrites
// concurrent writes. Otherwise a lost reply is [trestle.ErrUnknown]. The version and timestamps of
// e are set only on success.
//
//go:noinline
func (r *Repo[T]) Put(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	return do(ctx, (*repo.Repo)(r), repo.Put, e, expr.CondsOf(conds))
}

// Overwrite stores an item and replaces an existing one of any version. For a versioned type the
// new version follows the stored one, so no version is used twice. This costs an additional
// strongly consistent read. If other writers interfere, the write is tried at most eight times;
// then the error is [trestle.ErrStale]. The version and timestamps of e are set only on success.
//
//go:noinline
func (r *Repo[T]) Overwrite(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	return do(ctx, (*repo.Repo)(r), repo.Overwrite, e, expr.CondsOf(conds))
}

// Get is [Reader.Get], with an eventually consistent read. For a strongly consistent read use
// [Repo.Strong].
//
//go:noinline
func (r *Repo[T]) Get(ctx context.Context, example T) (T, error) {
	var item T
	err := get(ctx, (*repo.Repo)(r), &example, &item)
	return item, err
}

// Update changes an existing item and returns the new item; [trestle.ErrNotFound] if there is none.
// If a change affects an index key, the same write renders the key again, which takes the values of
// all its fields. The value of a field comes from the changes or from the example. The write checks
// values of the example: [trestle.ErrCondition] if the item has another value. If a value is
// missing, the error is a [trestle.ErrInvalid] that names the field, unless the repository reads
// the item first ([ReadFirst]).
//
// A zero in the example means that the value is not given. If the example has a version or is used
// with [AsRead], a zero is checked like any other value. A number or bool in an index key cannot be
// removed, only set, unless its field is a pointer or omitempty: a removed value would be read as
// zero, which is another key.
//
// If the example has a version other than 0, the write checks it: [trestle.ErrStale] if the item
// has another. Every update increments the version. attr.If adds conditions: [trestle.ErrCondition]
// if one fails. The same error reports a change of a child of an attribute that the item does not
// have. An update of an unversioned type without conditions that only sets and removes is retried
// if its reply is lost. Otherwise a lost reply is [trestle.ErrUnknown].
//
//go:noinline
func (r *Repo[T]) Update(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	var item T
	err := update(ctx, (*repo.Repo)(r), repo.Update, &example, expr.ChangesOf(change, more), &item)
	return item, err
}

// Upsert changes an item as [Repo.Update] does, or creates it from its key and the changes. If the
// item lacks fields of an index key that the example has, Upsert writes them too.
//
//go:noinline
func (r *Repo[T]) Upsert(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	var item T
	err := update(ctx, (*repo.Repo)(r), repo.Upsert, &example, expr.ChangesOf(change, more), &item)
	return item, err
}

// Delete deletes the item of the example's key. Without conditions and version, a missing item is
// no error. If the example has a version, the write checks it: [trestle.ErrStale] if the item has
// another. With a version or conditions, a missing item is [trestle.ErrNotFound].
//
//go:noinline
func (r *Repo[T]) Delete(ctx context.Context, example T, conds ...attr.Cond[T]) error {
	return do(ctx, (*repo.Repo)(r), repo.Delete, &example, expr.CondsOf(conds))
}

// GetMany is [Reader.GetMany], with eventually consistent reads. For strongly consistent reads use
// [Repo.Strong].
//
//go:noinline
func (r *Repo[T]) GetMany(ctx context.Context, examples []T) ([]*T, error) {
	found := make([]*T, len(examples))
	return found, (*repo.Repo)(r).GetMany(ctx, examples, found)
}

// Op returns the verbs as operations, which can be sent, inspected and explained.
//
//go:noinline
func (r *Repo[T]) Op() *Ops[T] { return (*Ops[T])(r) }

// With returns a repository with additional call options.
//
//go:noinline
func (r *Repo[T]) With(options ...CallOption) *Repo[T] {
	return (*Repo[T])(with((*repo.Repo)(r), options))
}

// Reader returns a reader with eventually consistent reads.
//
//go:noinline
func (r *Repo[T]) Reader() *Reader[T] { return (*Reader[T])(r) }

// Strong returns a reader with strongly consistent reads, at twice the cost.
//
//go:noinline
func (r *Repo[T]) Strong() *Reader[T] { return (*Reader[T])((*repo.Repo)(r).Strong()) }

// Type returns the entity type of the repository.
//
//go:noinline
func (r *Repo[T]) Type() *Type[T] {
	t, _ := (*repo.Repo)(r).Public().(*Type[T])
	return t
}

// The functions below are shared by the verbs of every Repo. They are not inlined, because the
// compiler would then repeat them for each entity.

//go:noinline
func do(ctx context.Context, r *repo.Repo, verb repo.Verb, entity any, conds []*expr.Cond) error {
	return r.Op(verb, entity, conds).Do(ctx, repo.Result{})
}

//go:noinline
func get(ctx context.Context, r *repo.Repo, example, item any) error {
	return r.Op(repo.Get, example, nil).Do(ctx, repo.Result{Item: item})
}

//go:noinline
func update(ctx context.Context, r *repo.Repo, verb repo.Verb, example any, changes []*expr.Change, item any) error {
	return r.ChangingOp(verb, example, changes).Do(ctx, repo.Result{Item: item})
}

//go:noinline
func with(r *repo.Repo, options []CallOption) *repo.Repo {
	return r.With(func(v *repo.View) {
		for _, o := range options {
			if o != nil {
				o.call(v)
			}
		}
	})
}
