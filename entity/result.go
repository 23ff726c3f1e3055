package entity

import (
	"context"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Result is what a write gave back.
type Result[T any] struct {
	Item     T        // what was asked for, decoded; of a partial return only the attributes given back are filled
	Found    bool     // whether there was anything to give back
	Capacity Capacity // of all requests, those that conditions failed excepted: the service does not say what these consumed
	Attempts int      // of all requests, the SDK's repetitions counted
}

// result is where code that knows no T leaves its result.
type result struct {
	item     codec.Ptr
	found    *bool
	capacity *Capacity
	attempts *int
}

func (r *Result[T]) into() result {
	return result{item: codec.PtrTo(&r.Item), found: &r.Found, capacity: &r.Capacity, attempts: &r.Attempts}
}

// wrote leaves the reply to a write in the result.
func (r result) wrote(p *core.Plan, reply op.Reply) error {
	*r.capacity, *r.attempts = Capacity(reply.Capacity), reply.Attempts
	if len(reply.Item) == 0 {
		return nil
	}
	*r.found = true
	return decode(p, reply.Item, r.item)
}

// Return says what a write gives back of the item; see [Repo.Returning]. It costs nothing.
type Return uint8

const (
	// AllOld is the item as it was before the write.
	AllOld = Return(op.AllOld)
	// AllNew is the item as it is after an update.
	AllNew = Return(op.AllNew)
	// UpdatedOld is what an update changed, as it was.
	UpdatedOld = Return(op.UpdatedOld)
	// UpdatedNew is what an update changed, as it is.
	UpdatedNew = Return(op.UpdatedNew)
)

// Writer is the writing side of a repository whose verbs give back what the service returns; [Repo.Returning] makes it. What the verbs do, check and
// cost is said at [Repo].
type Writer[T any] struct {
	r    Repo[T]
	what Return
}

// Returning is the writing side of the repository, giving back what the writes return. Put, Overwrite and Delete know AllOld only, and
// are [ErrInvalid] with another. Since a repetition
// could not tell what the first attempt found, a write that gives back AllOld or UpdatedOld is [ErrUnknown] when its reply is lost.
func (r Repo[T]) Returning(what Return) Writer[T] { return Writer[T]{r, what} }

// Put is [Repo.Put].
func (w Writer[T]) Put(ctx context.Context, e *T, conds ...attr.Cond[T]) (Result[T], error) {
	if err := w.check("put", AllOld, errOldOnly); err != nil {
		return Result[T]{}, err
	}
	return w.r.put(ctx, "put", write.Put, e, trees(conds), op.Return(w.what))
}

// Overwrite is [Repo.Overwrite].
func (w Writer[T]) Overwrite(ctx context.Context, e *T, conds ...attr.Cond[T]) (Result[T], error) {
	if err := w.check("overwrite", AllOld, errOldOnly); err != nil {
		return Result[T]{}, err
	}
	return w.r.put(ctx, "overwrite", write.Overwrite, e, trees(conds), op.Return(w.what))
}

// Update is [Repo.Update].
func (w Writer[T]) Update(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (Result[T], error) {
	if err := w.check("update", UpdatedNew, errNoReturn); err != nil {
		return Result[T]{}, err
	}
	return w.r.update(ctx, "update", false, example, changes(change, more), op.Return(w.what))
}

// Upsert is [Repo.Upsert].
func (w Writer[T]) Upsert(ctx context.Context, example T, change attr.Change[T], more ...attr.Change[T]) (Result[T], error) {
	if err := w.check("upsert", UpdatedNew, errNoReturn); err != nil {
		return Result[T]{}, err
	}
	return w.r.update(ctx, "upsert", true, example, changes(change, more), op.Return(w.what))
}

// Delete is [Repo.Delete].
func (w Writer[T]) Delete(ctx context.Context, example T, conds ...attr.Cond[T]) (Result[T], error) {
	if err := w.check("delete", AllOld, errOldOnly); err != nil {
		return Result[T]{}, err
	}
	return w.r.remove(ctx, example, trees(conds), op.Return(w.what))
}

// check refuses what the verb cannot give back: it knows the returns up to one of them.
func (w Writer[T]) check(verb string, last Return, reason error) error {
	if AllOld <= w.what && w.what <= last {
		return nil
	}
	return w.r.v.refused(verb, w.r.definition(), reason)
}
