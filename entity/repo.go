package entity

import (
	"context"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/repo"
)

// Repo has the methods that read and write single items of an entity type in a table. It is small
// and safe for concurrent use; [Type.In] returns it.
//
// An example selects an item: it is a T with the fields of the table key set. A 0 or false in such
// a field is a value of the key. The other fields have an effect only where a method documents it.
// Methods that store a whole entity take a pointer, because they set its version and timestamps.
//
// A write costs one write unit per KB of the larger of the old and the new item, rounded up. Each
// index entry that it adds, changes or deletes costs one write unit per KB of the entry, rounded
// up; a changed index key deletes one entry and adds another. Get costs half a read unit per 4 KB
// of the item, rounded up, and twice as much with Strong.
//
// Every error is a [*trestle.OpError] or wraps one. All problems of an entity, a key or a change
// are reported together, before a request is sent. The error is [trestle.ErrLimit] if all of them
// are exceeded limits of DynamoDB, otherwise [trestle.ErrInvalid].
//
// An attempt that was certainly not applied, such as a throttled one, is retried as often as the
// client's retryer allows. A conflict with another transaction or Region is retried up to eight
// times, after random pauses that grow to 2.5 seconds, unless the retryer allows one attempt only.
// An attempt whose reply is lost is retried only if the write can be applied only once, or if
// applying it twice has the effect of applying it once. Otherwise the write fails with
// [trestle.ErrUnknown].
//
// Create, and a write that checks a version, can be applied only once. They store a random ID of 12
// bytes in the item (see WriteID of [Config]). After a lost reply, the ID in the item shows that
// the write was applied. If another writer has replaced the ID since, the error is
// [trestle.ErrUnknown].
//
// Other writers may write the item before a retry, or before an attempt that arrives after its
// retry. The late attempt then changes nothing, with these exceptions: a Create stores an item
// again that was deleted; a Put, Delete or Update without version and conditions overwrites the
// other write; a write that checks a version changes an item that was deleted and created again, if
// it has that version.
type Repo[T any] repo.Repo

// Create stores a new item. It returns [trestle.ErrExists] if there is an item with that key. An
// item of a versioned type gets version 1, even if an item with that key was deleted before.
//
// It is retried after a lost reply. The version and timestamps of e are set only on success. It
// costs one write unit per KB of the item; if there is an item already, per KB of that one.
//
//go:noinline
func (r *Repo[T]) Create(ctx context.Context, e *T) error {
	return do(ctx, (*repo.Repo)(r), repo.Create, e, nil)
}

// Put stores an item and replaces an existing one. For a versioned type the existing item must have
// the version of e, or the error is [trestle.ErrStale]. Version 0 means that there is no item, or
// one without the version attribute: an item that was stored before its type had the role version.
// It gets version 1. If a condition fails, the error is [trestle.ErrCondition].
//
// After a lost reply, it is retried if the type is versioned or if there are no conditions. Without
// a version, the retry can overwrite the item of another writer. A put of an unversioned type with
// conditions returns [trestle.ErrUnknown]. The version and timestamps of e are set only on success.
// It costs one write unit per KB of the larger of the old and the new item.
//
//go:noinline
func (r *Repo[T]) Put(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	return do(ctx, (*repo.Repo)(r), repo.Put, e, expr.CondsOf(conds))
}

// Overwrite stores an item and replaces an existing one of any version. For a versioned type the
// new version follows the stored one, so no version is used twice. This costs an additional
// strongly consistent read. If another writer changes the item after that read, Overwrite reads and
// writes again, at most eight times in all; then it returns [trestle.ErrStale]. The version and
// timestamps of e are set only on success. Otherwise it costs and promises what Put does.
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
	both := &struct{ example, item T }{example: example} // one allocation
	err := get(ctx, (*repo.Repo)(r), &both.example, &both.item)
	return both.item, err
}

// Update changes an existing item and returns the new item. It returns [trestle.ErrNotFound] if
// there is no item.
//
// If a change affects an index key, the same write sets the new index key. To render it, Update
// needs the values of all fields of that key, from the changes or from the example. The write
// checks the values that come from the example, and fails with [trestle.ErrCondition] if the item
// has others. If a value is missing, Update returns [trestle.ErrInvalid] and names the field,
// unless the repository reads the item first ([ReadFirst]). A change of a unique value, or of a
// field that the item which counts it depends on, reads the item first in any case.
//
// A zero field of the example is a missing value, unless the example has a version or the
// repository has the option [AsRead]. A number or bool in an index key cannot be removed, only set,
// unless its field is a pointer or omitempty: a removed value would be read as zero, which is
// another key.
//
// If the example has a version other than 0, the item must have the same version, or the error is
// [trestle.ErrStale]. Every update increments the version. attr.If adds conditions; if one fails,
// the error is [trestle.ErrCondition]. A change of a child of an attribute that the item does not
// have returns the same error.
//
// After a lost reply, it is retried if it checks a version. Without a version field, it is also
// retried if it has no conditions and only sets and removes attributes. Any other update returns
// [trestle.ErrUnknown]. After a retry, the returned item can include later changes of other
// writers.
//
// A change of a field behind an embedded pointer makes the pointer non-nil for readers. Numbers and
// bools behind it, which the item lacked, are then zeros in index keys, unique values and counts.
// To store them, Update first reads the item, strongly consistent, for one read unit per 4 KB,
// unless the change sets them or the example has a version and the pointer.
//
// It costs one write unit per KB of the larger of the old and the new item, also if a condition
// fails.
//
//go:noinline
func (r *Repo[T]) Update(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	both := &struct{ example, item T }{example: example} // one allocation
	err := update(ctx, (*repo.Repo)(r), repo.Update, &both.example, expr.ChangesOf(change, more), &both.item)
	return both.item, err
}

// Upsert changes an item as [Repo.Update] does, or creates it from the key of the example and the
// changes. If a change affects an index key, Upsert also writes the other fields of that key that
// the example has and the item lacks. It ignores other fields of the example. An item of an example
// with a version exists, so Upsert is Update then, but the error for a missing item is
// [trestle.ErrStale].
//
// A new item is as if [Repo.Create] had stored what Get returns: a field that the changes leave out
// has its zero value, which is stored and is a part of index keys, unique values and counts. Only
// an attribute that a change removes is left out. If it does not read the item first, Upsert also
// stores the zeros that an existing item lacks; readers get the same item. What Create refuses,
// such as an entity with a zero that has no text, Upsert does not create either:
// [trestle.ErrInvalid].
//
// It costs and promises what Update does. It first reads the item, strongly consistent, for one
// read unit per 4 KB, if the changes leave out numbers or bools from which an index key, a unique
// value or a count of a new item follows: those of an existing item follow from other numbers. If
// the changes affect another field of the same index key, the rule of Update applies instead: the
// error is [trestle.ErrInvalid] and names the missing field, unless [ReadFirst] is set.
//
// Upsert also reads the item first if Create would refuse the new item, or if the zeros do not fit
// into one update, which takes more than a hundred fields. If there is no item and too many fields
// for any update expression, which takes more than two hundred, Upsert puts the new item, and reads
// it to return it.
//
//go:noinline
func (r *Repo[T]) Upsert(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	var item T
	err := update(ctx, (*repo.Repo)(r), repo.Upsert, &example, expr.ChangesOf(change, more), &item)
	return item, err
}

// Delete deletes the item with the key of the example. If the example has a version, the item must
// have the same version, or the error is [trestle.ErrStale]. If a condition fails, the error is
// [trestle.ErrCondition]. A missing item is an error, [trestle.ErrNotFound], only if the example
// has a version or if there are conditions.
//
// It is retried after a lost reply if it has neither. Otherwise it returns [trestle.ErrUnknown],
// because a deleted item cannot show which write deleted it. It costs one write unit per KB of the
// item, and one if there is none.
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
