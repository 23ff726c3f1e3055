package entity

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// Ops has the verbs of a repository as values of type [Op], which can be sent, inspected and
// explained. [Repo.Op] returns it. [Repo] documents the effects and costs of the verbs.
type Ops[T any] struct {
	v *view
	d *definition
}

// Get is [Repo.Get].
func (o *Ops[T]) Get(example T) *Op[T] { return (*Op[T])((*repo)(o).op(getVerb, &example)) }

// Create is [Repo.Create].
func (o *Ops[T]) Create(e *T) *Op[T] { return (*Op[T])((*repo)(o).op(createVerb, e)) }

// Put is [Repo.Put].
func (o *Ops[T]) Put(e *T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo)(o).conditional(putVerb, e, expr.CondsOf(conds)))
}

// Overwrite is [Repo.Overwrite].
func (o *Ops[T]) Overwrite(e *T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo)(o).conditional(overwriteVerb, e, expr.CondsOf(conds)))
}

// Update is [Repo.Update].
func (o *Ops[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])((*repo)(o).changing(updateVerb, &example, expr.ChangesOf(change, more)))
}

// Upsert is [Repo.Upsert].
func (o *Ops[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])((*repo)(o).changing(upsertVerb, &example, expr.ChangesOf(change, more)))
}

// Delete is [Repo.Delete].
func (o *Ops[T]) Delete(example T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo)(o).conditional(deleteVerb, &example, expr.CondsOf(conds)))
}

// Op is an operation on one item of a repository. It is immutable and can be sent again: each time
// it is planned from the current values of its arguments. The methods of [Ops] return it.
type Op[T any] struct{ operation operation }

// Do sends the operation. A get returns the item. A write returns the part of the item that
// [Op.Return] selects: by default, an update and an upsert return the new item, the others nothing.
func (o *Op[T]) Do(ctx context.Context) (Result[T], error) {
	var r Result[T]
	err := (*anyOp)(o).do(ctx, &r.Item, &r.Found, &r.Capacity, &r.Attempts)
	return r, err
}

// Return selects the part of the item that a write returns, at no cost. An update and an upsert
// accept every value, a put, an overwrite and a delete accept AllOld, a get and a create accept
// none. Any other value is [ErrInvalid]. A retry cannot return what the first attempt found. A
// write that returns AllOld or UpdatedOld is therefore [ErrUnknown] if its reply is lost.
func (o *Op[T]) Return(what Return) *Op[T] { return (*Op[T])((*anyOp)(o).returning(what)) }

// Input returns the SDK input of the operation, to inspect, test, or send by other means. It
// ignores [ReadFirst]. For an overwrite of a versioned type it returns [ErrInvalid], because the
// put depends on a read.
func (o *Op[T]) Input() (Input, error) { return (*anyOp)(o).input() }

// Explain explains the operation and estimates its cost without sending it. Only the first
// assumption counts.
//
// The estimate assumes that a put or a create finds no earlier item: see [Explanation.Units]. An
// earlier item with the same index keys does not change the cost. The cost is lower if the entry on
// an index is unchanged, because the service then does not write it. The estimate includes the read
// of [ReadFirst] and of an overwrite of a versioned type.
func (o *Op[T]) Explain(assume ...Assumption) (Explanation, error) {
	return (*anyOp)(o).explain(assume)
}

// Input is the SDK input of a request. One field is set: Put for a create, a put and an overwrite,
// Update for an update and an upsert.
type Input struct {
	Get    *dynamodb.GetItemInput
	Put    *dynamodb.PutItemInput
	Update *dynamodb.UpdateItemInput
	Delete *dynamodb.DeleteItemInput
}

// Result is the result of an operation.
type Result[T any] struct {
	// Item is the decoded item. A partial return fills only the returned attributes.
	Item  T
	Found bool // whether the service returned an item
	// Capacity sums all requests except those with a failed condition, for which the service
	// reports no capacity.
	Capacity Capacity
	Attempts int // attempts of all requests, including the SDK's retries
}

// Return is the part of the item that a write returns; see [Op.Return].
type Return uint8

const (
	// AllOld is the item before the write.
	AllOld = Return(op.AllOld)
	// AllNew is the item after an update.
	AllNew = Return(op.AllNew)
	// UpdatedOld is the updated attributes before the update.
	UpdatedOld = Return(op.UpdatedOld)
	// UpdatedNew is the updated attributes after the update.
	UpdatedNew = Return(op.UpdatedNew)
)
