package entity

import (
	"context"

	"github.com/trestledb/trestle/attr"
)

// Repo is an entity type on a table: the verbs on single items. It is two words behind a pointer, and safe for concurrent use; [Type.In] makes it.
//
// An example gives the key of an item: a T whose fields that are part of the table's key are set, where a plain 0 or false is the
// value 0 or false. Other fields of an example count only where a verb says so. Verbs that store a whole entity take a pointer, to stamp it.
//
// Costs are in write units, one for each KB of the item begun, and the same again for each index whose entry changes; in read units
// for Get, one half for each 4 KB begun, doubled by Strong.
//
// Every error is an [*OpError]. What is wrong with an entity, a key or a change is said before anything is sent, all at once: [ErrInvalid], or
// [ErrLimit] where limits of the service are all that is wrong. An attempt that was certainly not applied, such as a throttled one, is
// repeated as often as the client's retryer allows. One whose reply is lost is repeated only where applying it twice is applying it once;
// otherwise the write is [ErrUnknown].
type Repo[T any] struct {
	v *view
	d *definition
}

// Create stores an item that does not exist yet; [ErrExists] if it does. A versioned item gets version 1.
//
// When the reply is lost, the error is [ErrUnknown]. e is stamped (version, times) on success only.
func (r *Repo[T]) Create(ctx context.Context, e *T) error {
	return (*repo)(r).put(ctx, createVerb, e, nil)
}

// Put stores an item in place of the one that is there, if any. Of a versioned type it requires that the
// item there has the version that e carries; [ErrStale] otherwise. Version 0 stands for no item, or for
// one without the attribute: it was stored before its type had the role version, and gets version 1. Of
// other types it requires nothing but the conditions, [ErrCondition] where one does not hold.
//
// Without version and conditions it is repeated when a reply is lost: such a repetition overwrites what another writer put in between.
// Otherwise a lost reply is [ErrUnknown]. e is stamped (version, times) on success only.
func (r *Repo[T]) Put(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	return (*repo)(r).put(ctx, putVerb, e, conds)
}

// Overwrite stores an item in place of whatever is there, of any version. A versioned type's version goes on from the one that is there, so that no
// version ever names two states: this costs a strongly consistent read more, and the write is repeated, eight times at the most, while
// other writers come between; then it is [ErrStale]. e is stamped (version, times) on success only.
func (r *Repo[T]) Overwrite(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	return (*repo)(r).put(ctx, overwriteVerb, e, conds)
}

// Get is [Reader.Get]: eventually consistent unless it goes through [Repo.Strong].
func (r *Repo[T]) Get(ctx context.Context, example T) (T, error) {
	var item T
	err := (*repo)(r).get(ctx, &example, &item)
	return item, err
}

// Update changes an item that exists ([ErrNotFound] otherwise) and returns it as it is afterwards. Every
// index key that a change touches is rendered anew in the same write. That takes all fields of the key.
// A field that the call sets is known. One that the example gives is checked by the write, [ErrCondition]
// if the item has another value. Any other is named in an [ErrInvalid], unless the repository reads the
// item first ([ReadFirst]).
//
// A zero of the example counts as not given, unless the example carries a version, or is said to be the
// item as it was read ([AsRead]): then it is checked like any other value. A number or bool that an index
// key holds cannot be removed, only set, unless its field is a pointer or omitempty: a removed one would be
// read as its zero, which is another key.
//
// A version in the example is checked unless it is 0, [ErrStale] if the item has another; it is advanced in any case. Conditions are given with attr.If, and are
// [ErrCondition] where they do not hold, as is a change below a parent that the item does not have. An update that only sets and removes, of an
// unversioned type and without conditions, is repeated when a reply is lost; otherwise that is [ErrUnknown].
func (r *Repo[T]) Update(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	var item T
	err := (*repo)(r).update(ctx, updateVerb, &example, change, more, &item)
	return item, err
}

// Upsert changes an item as [Repo.Update] does, or creates it of its key and the changes. What the example gives of an index key's
// members is written too where the item lacks it.
func (r *Repo[T]) Upsert(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	var item T
	err := (*repo)(r).update(ctx, upsertVerb, &example, change, more, &item)
	return item, err
}

// Delete removes the item of the example's key. Without conditions and version an item that is not there is no failure. A
// version in the example is checked, [ErrStale] if the item has another; with it or with conditions an item that is not there is [ErrNotFound].
func (r *Repo[T]) Delete(ctx context.Context, example T, conds ...attr.Cond[T]) error {
	return (*repo)(r).remove(ctx, &example, conds)
}

// Op makes the verbs into operations: values to send, to look at, and to explain.
func (r *Repo[T]) Op() *Ops[T] { return (*Ops[T])(r) }

// With is the repository with other ways of making calls.
func (r *Repo[T]) With(options ...CallOption) *Repo[T] { return (*Repo[T])((*repo)(r).with(options)) }

// Reader is the reading side of the repository, eventually consistent.
func (r *Repo[T]) Reader() *Reader[T] { return (*Reader[T])(r) }

// Strong is the reading side of the repository with strongly consistent reads, at twice the cost.
func (r *Repo[T]) Strong() *Reader[T] { return (*Reader[T])((*repo)(r).strong()) }

// Type is what the repository holds.
func (r *Repo[T]) Type() *Type[T] { return &Type[T]{(*repo)(r).parts().d} }

// The functions below are what the verbs of every Repo have in common. They are not inlined: the
// compiler would repeat them for each entity.

//go:noinline
func (r *repo) put(ctx context.Context, verb string, entity, conds any) error {
	o := operation{repo: r.parts(), verb: verb, entity: entity, conds: conds}
	return o.do(ctx, result{})
}

//go:noinline
func (r *repo) update(ctx context.Context, verb string, example, change, more, item any) error {
	o := operation{repo: r.parts(), verb: verb, entity: example, changes: [2]any{change, more}, ret: returned(verb)}
	return o.do(ctx, result{item: item})
}

//go:noinline
func (r *repo) remove(ctx context.Context, example, conds any) error {
	o := operation{repo: r.parts(), verb: deleteVerb, entity: example, conds: conds}
	return o.do(ctx, result{})
}

//go:noinline
func (r *repo) get(ctx context.Context, example, item any) error {
	o := operation{repo: r.parts(), verb: getVerb, entity: example}
	return o.do(ctx, result{item: item})
}

//go:noinline
func (r *repo) with(options []CallOption) *repo {
	if r == nil || r.v == nil {
		return r
	}
	return &repo{r.v.with(options), r.d}
}

//go:noinline
func (r *repo) strong() *repo {
	if r == nil || r.v == nil {
		return r
	}
	v := *r.v
	v.strong = true
	return &repo{&v, r.d}
}
