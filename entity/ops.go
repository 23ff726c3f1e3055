package entity

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/op"
)

// Ops makes the verbs of a repository into values: each is an [Op], which can be sent, looked at and
// explained. [Repo.Op] makes it. What the verbs do, check and cost is said at [Repo].
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
	return (*Op[T])((*repo)(o).conditional(putVerb, e, conds))
}

// Overwrite is [Repo.Overwrite].
func (o *Ops[T]) Overwrite(e *T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo)(o).conditional(overwriteVerb, e, conds))
}

// Update is [Repo.Update].
func (o *Ops[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])((*repo)(o).changing(updateVerb, &example, change, more))
}

// Upsert is [Repo.Upsert].
func (o *Ops[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) *Op[T] {
	return (*Op[T])((*repo)(o).changing(upsertVerb, &example, change, more))
}

// Delete is [Repo.Delete].
func (o *Ops[T]) Delete(example T, conds ...attr.Cond[T]) *Op[T] {
	return (*Op[T])((*repo)(o).conditional(deleteVerb, &example, conds))
}

// Op is an operation on one item of a repository. It is immutable, and may be done again: it is
// planned each time from what its arguments hold then. [Ops] makes it.
type Op[T any] struct{ operation operation }

// Do sends the operation. A get gives the item back, and a write what [Op.Return] asks for: by
// itself an update and an upsert give the item as it is afterwards, and all others nothing.
func (o *Op[T]) Do(ctx context.Context) (Result[T], error) {
	var r Result[T]
	err := (*anyOp)(o).do(ctx, &r.Item, &r.Found, &r.Capacity, &r.Attempts)
	return r, err
}

// Return makes the write give back what the service returns of the item, at no cost. A put, an
// overwrite and a delete know AllOld only, a create nothing, and are [ErrInvalid] with another. Since
// a repetition could not tell what the first attempt found, a write that gives back AllOld or
// UpdatedOld is [ErrUnknown] when its reply is lost.
func (o *Op[T]) Return(what Return) *Op[T] { return (*Op[T])((*anyOp)(o).returning(what)) }

// Input is the SDK's input of the request that the operation sends, to look at, to test, or to send
// by other means. An update and an upsert are compiled as without [ReadFirst]. An overwrite of a versioned type has
// none, as its put depends on what it reads: [ErrInvalid].
func (o *Op[T]) Input() (Input, error) { return (*anyOp)(o).input() }

// Explain says what the operation would do and about what it would cost, without sending anything.
// At most one assumption is heeded.
//
// A put and a create are taken to meet no earlier item: see [Explanation.Units]. One with the same
// index keys costs as much, and less where it has the same attributes on an index, which is not
// written then. The read of [ReadFirst], and of an overwrite of a versioned type, counts in.
func (o *Op[T]) Explain(assume ...Assumption) (Explanation, error) {
	return (*anyOp)(o).explain(assume)
}

// Input is the SDK's input of a request. One of the fields is set: Put for a create, a put and an
// overwrite, Update for an update and an upsert.
type Input struct {
	Get    *dynamodb.GetItemInput
	Put    *dynamodb.PutItemInput
	Update *dynamodb.UpdateItemInput
	Delete *dynamodb.DeleteItemInput
}

// Result is what an operation gave back.
type Result[T any] struct {
	Item     T        // what was asked for, decoded; of a partial return only the attributes given back are filled
	Found    bool     // whether there was anything to give back
	Capacity Capacity // of all requests, those that conditions failed excepted: the service does not say what these consumed
	Attempts int      // of all requests, the SDK's repetitions counted
}

// Return says what a write gives back of the item; see [Op.Return].
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
