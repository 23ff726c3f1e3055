package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/repo"
)

// Ops has the methods of a repository. Each returns an [Op], which can be sent, inspected and
// explained. [Repo.Op] returns it. [Repo] documents the effects and costs.
type Ops[T any] repo.Repo

// Get is [Repo.Get].
//
//go:noinline
func (o *Ops[T]) Get(example T) *Op[T] {
	return (*Op[T])(newOp((*repo.Repo)(o), repo.Get, &example, nil))
}

// Create is [Repo.Create].
//
//go:noinline
func (o *Ops[T]) Create(e *T) *Op[T] { return (*Op[T])(newOp((*repo.Repo)(o), repo.Create, e, nil)) }

// Put is [Repo.Put].
//
//go:noinline
func (o *Ops[T]) Put(e *T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])(newOp((*repo.Repo)(o), repo.Put, e, expr.CondsOf(conds)))
}

// Overwrite is [Repo.Overwrite].
//
//go:noinline
func (o *Ops[T]) Overwrite(e *T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])(newOp((*repo.Repo)(o), repo.Overwrite, e, expr.CondsOf(conds)))
}

// Update is [Repo.Update].
//
//go:noinline
func (o *Ops[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])(newChangingOp((*repo.Repo)(o), repo.Update, &example, expr.ChangesOf(change, more)))
}

// Upsert is [Repo.Upsert].
//
//go:noinline
func (o *Ops[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])(newChangingOp((*repo.Repo)(o), repo.Upsert, &example, expr.ChangesOf(change, more)))
}

// Delete is [Repo.Delete].
//
//go:noinline
func (o *Ops[T]) Delete(example T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])(newOp((*repo.Repo)(o), repo.Delete, &example, expr.CondsOf(conds)))
}

// Check requires that the item exists and that the conditions hold. It changes nothing. If the
// example has a version, the item must have the same version. Check is sent as a transaction of one
// action.
//
// It costs 2 write units per KB of the item, rounded up. Errors: [trestle.ErrNotFound],
// [trestle.ErrStale], [trestle.ErrCondition], [trestle.ErrInvalid].
//
//go:noinline
func (o *Ops[T]) Check(example T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo.Repo)(o).Op(repo.Check, &example, expr.CondsOf(conds)))
}

// Op is an operation on one item of a repository. It is immutable and can be sent again: each time
// it is planned from the current values of its arguments. The methods of [Ops] return it.
type Op[T any] repo.Op

// Do sends the operation. A get returns the item. A write returns the part of the item that
// [Op.Return] selects: by default, an update and an upsert return the new item, the others nothing.
//
//go:noinline
func (o *Op[T]) Do(ctx context.Context) (Result[T], error) {
	var r Result[T]
	err := (*repo.Op)(o).Do(ctx, repo.Result{Item: &r.Item, Found: &r.Found, Capacity: &r.Capacity, Attempts: &r.Attempts})
	return r, err
}

// Return selects the part of the item that a write returns, at no cost. An update and an upsert
// accept every value, a put, an overwrite and a delete accept AllOld, the others
// none. For a type with unique values, or whose items are counted, an update and an upsert accept
// AllNew only, and the other writes none: such a write can be a transaction, which returns no old
// item. Any other value makes the operation fail with [trestle.ErrInvalid]. A write that returns
// AllOld or UpdatedOld is never retried after a lost reply, because the retry would return the item
// that the first attempt wrote. It fails with [trestle.ErrUnknown]. For UpdatedNew, a versioned
// update that is retried after a lost reply returns the whole item, and so does an upsert that
// creates an item by a put (see [Repo.Upsert]).
//
//go:noinline
func (o *Op[T]) Return(what trestle.Return) *Op[T] { return (*Op[T])((*repo.Op)(o).Return(what)) }

// Once binds a write to an idempotency token of 1 to 36 bytes, such as a UUID. The write becomes a
// transaction. It is retried safely, also after a lost reply. DynamoDB applies it once, even if it
// is sent again with the same token within ten minutes. It costs twice the write units of the item
// (not of its indexes) and returns no item. Create the token before the first call, and use it for
// one logical write only.
//
// After [trestle.ErrUnknown], call again with the same token, if need be from another process. Each
// call tells what happened to the write of the token:
//
//   - Without an error, it is applied: by this call or by an earlier one.
//   - If the outcome is [trestle.NotApplied], no call has applied it. This is certain, because
//     DynamoDB checks the token before the conditions. A write that cannot be planned from the item
//     that it reads first, such as the deletion of a version of a missing item with a unique value,
//     therefore sends a condition check that never holds (2 write units). [trestle.ErrInvalid] and
//     [trestle.ErrLimit] before anything is sent are mistakes that every call has.
//   - After all other failures the error is [trestle.ErrUnknown], also if this call was throttled
//     or refused, because an earlier one may have been applied. Call again.
//   - With IdempotentParameterMismatchException, another request with the token was applied within
//     ten minutes, or is being applied: usually an earlier call of this write. Read the item to be
//     certain.
//
// A repeated request is another one if it stamps another time (roles created and updated), if it
// takes a unique value of a type with a time to live or writes an item that can expire (their
// conditions have the time in seconds), or if it is planned from an item that it reads first and
// that has changed: by [ReadFirst], an overwrite of a versioned type, or a write of a type with
// unique values or counts.
//
// DynamoDB forgets the token ten minutes after the write. A later call is a new write. An attempt
// of an earlier call that is still on its way can be applied after a call that was not applied, if
// its conditions hold then.
//
//go:noinline
func (o *Op[T]) Once(token string) *Op[T] { return (*Op[T])((*repo.Op)(o).Once(token)) }

// Input returns the SDK input of the operation, to inspect, test, or send by other means. It has no
// write ID (see WriteID of [Config]) and ignores [ReadFirst]. For an overwrite of a versioned type
// it returns [trestle.ErrInvalid], because the put depends on a read.
//
//go:noinline
func (o *Op[T]) Input() (trestle.Input, error) { return (*repo.Op)(o).Input() }

// Explain explains the operation and estimates its cost without sending it. Only the first
// assumption counts.
//
// The estimate assumes that a put or a create finds no earlier item: see
// [trestle.Explanation.Units]. An earlier item with the same index keys does not change the cost.
// The cost is lower if the entry in an index is unchanged, because DynamoDB then does not write it.
// The estimate includes the read of [ReadFirst] and of an overwrite of a versioned type.
//
//go:noinline
func (o *Op[T]) Explain(assume ...trestle.Assumption) (trestle.Explanation, error) {
	return (*repo.Op)(o).Explain(assume)
}

// Result is the result of an operation.
type Result[T any] struct {
	// Item is the decoded item. A partial return fills only the returned attributes.
	Item  T
	Found bool // whether DynamoDB returned an item
	// Capacity sums all requests except those with a failed condition, for which DynamoDB reports
	// no capacity.
	Capacity trestle.Capacity
	Attempts int // attempts of all requests, including the SDK's retries
}

// The functions below are shared by the verbs of every Ops, like those of Repo.

//go:noinline
func newOp(r *repo.Repo, verb repo.Verb, entity any, conds []*expr.Cond) *repo.Op {
	return r.Op(verb, entity, conds)
}

//go:noinline
func newChangingOp(r *repo.Repo, verb repo.Verb, example any, changes []*expr.Change) *repo.Op {
	return r.ChangingOp(verb, example, changes)
}
