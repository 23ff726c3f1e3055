package entity

import (
	"context"
	"reflect"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Repo is an entity type on a table: the verbs on single items. It is a value of two words and safe for concurrent use; [Type.In] makes it.
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
	t *Type[T]
}

// Create stores an item that does not exist yet; [ErrExists] if it does. A versioned item gets version 1.
//
// When the reply is lost, the error is [ErrUnknown]. e is stamped (version, times) on success only.
func (r Repo[T]) Create(ctx context.Context, e *T) error {
	_, err := r.put(ctx, "create", write.Create, e, nil, op.Nothing)
	return err
}

// Put stores an item in place of the one that is there, if any. Of a versioned type it requires that the
// item there has the version that e carries; [ErrStale] otherwise. Version 0 stands for no item, or for
// one without the attribute: it was stored before its type had the role version, and gets version 1. Of
// other types it requires nothing but the conditions, [ErrCondition] where one does not hold.
//
// Without version and conditions it is repeated when a reply is lost: such a repetition overwrites what another writer put in between.
// Otherwise a lost reply is [ErrUnknown]. e is stamped (version, times) on success only.
func (r Repo[T]) Put(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	_, err := r.put(ctx, "put", write.Put, e, trees(conds), op.Nothing)
	return err
}

// Overwrite stores an item in place of whatever is there, of any version. A versioned type's version goes on from the one that is there, so that no
// version ever names two states: this costs a strongly consistent read more, and the write is repeated, eight times at the most, while
// other writers come between; then it is [ErrStale]. e is stamped (version, times) on success only.
func (r Repo[T]) Overwrite(ctx context.Context, e *T, conds ...attr.Cond[T]) error {
	_, err := r.put(ctx, "overwrite", write.Overwrite, e, trees(conds), op.Nothing)
	return err
}

// Get is [Reader.Get]: eventually consistent unless it goes through [Repo.Strong].
func (r Repo[T]) Get(ctx context.Context, example T) (T, error) {
	return r.Reader().Get(ctx, example)
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
func (r Repo[T]) Update(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	res, err := r.update(ctx, "update", false, example, changes(change, more), op.AllNew)
	return res.Item, err
}

// Upsert changes an item as [Repo.Update] does, or creates it of its key and the changes. What the example gives of an index key's
// members is written too where the item lacks it.
func (r Repo[T]) Upsert(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (T, error) {
	res, err := r.update(ctx, "upsert", true, example, changes(change, more), op.AllNew)
	return res.Item, err
}

// Delete removes the item of the example's key. Without conditions and version an item that is not there is no failure. A
// version in the example is checked, [ErrStale] if the item has another; with it or with conditions an item that is not there is [ErrNotFound].
func (r Repo[T]) Delete(ctx context.Context, example T, conds ...attr.Cond[T]) error {
	_, err := r.remove(ctx, example, trees(conds), op.Nothing)
	return err
}

// With is the repository with other ways of making calls.
func (r Repo[T]) With(options ...CallOption) Repo[T] {
	if r.v == nil {
		return r
	}
	return Repo[T]{v: r.v.with(options), t: r.t}
}

// Reader is the reading side of the repository, eventually consistent.
func (r Repo[T]) Reader() Reader[T] { return Reader[T](r) }

// Strong is the reading side of the repository with strongly consistent reads, at twice the cost.
func (r Repo[T]) Strong() Reader[T] {
	if r.v == nil {
		return Reader[T](r)
	}
	v := *r.v
	v.strong = true
	return Reader[T]{v: &v, t: r.t}
}

// Type is what the repository holds.
func (r Repo[T]) Type() *Type[T] { return r.t }

// put plans on a copy, so that the caller's struct is stamped on success only.
func (r Repo[T]) put(ctx context.Context, verb string, plan planPut, e *T, conds []any, ret op.Return) (Result[T], error) {
	var res Result[T]
	d := r.definition()
	if e == nil {
		return res, r.v.refused(verb, d, errNil)
	}
	stored := *e
	unshare(d, reflect.ValueOf(&stored).Elem())
	stamps, err := putItem(ctx, r.v, d, verb, plan, codec.PtrTo(&stored), conds, ret, res.into())
	if OutcomeOf(err) != Applied { // it may be applied, and what it gave back be unreadable: that is an error too
		return res, err
	}
	if bad := stamps.Apply(codec.PtrTo(e)); bad != nil && err == nil {
		err = &OpError{Op: verb, Entity: d.plan.Name, Table: r.v.env.Table, Outcome: Applied, Attempts: res.Attempts, cause: fail.Unreadable(bad)}
	}
	return res, err
}

func (r Repo[T]) update(ctx context.Context, verb string, upsert bool, example T, changes []any, ret op.Return) (Result[T], error) {
	var res Result[T]
	err := updateItem(ctx, r.v, r.definition(), verb, upsert, codec.PtrTo(&example), changes, ret, res.into())
	return res, err
}

func (r Repo[T]) remove(ctx context.Context, example T, conds []any, ret op.Return) (Result[T], error) {
	var res Result[T]
	err := deleteItem(ctx, r.v, r.definition(), codec.PtrTo(&example), conds, ret, res.into())
	return res, err
}

func (r Repo[T]) definition() *definition { return r.t.definition() }

// trees hands conditions to code that knows no T.
func trees[T any](conds []attr.Cond[T]) []any {
	out := make([]any, len(conds))
	for i, c := range conds {
		out[i] = c
	}
	return out
}

func changes[T any](first attr.Change[T], more []attr.Change[T]) []any {
	out := make([]any, 0, 1+len(more))
	out = append(out, first)
	for _, c := range more {
		out = append(out, c)
	}
	return out
}
