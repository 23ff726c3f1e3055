package entity

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Inputs compiles calls to the SDK's inputs without sending them: what a verb of the repository would send, to look at, to test, or to
// send by other means. [Repo.Inputs] makes it. Whatever the verbs refuse is refused here.
//
// Updates are compiled as without [ReadFirst]. Overwrite has no input of its own: it is Put without a version, or it reads first.
type Inputs[T any] struct{ r Repo[T] }

// Inputs is the repository's compiler to SDK inputs.
func (r Repo[T]) Inputs() Inputs[T] { return Inputs[T]{r} }

// Get is the input of [Reader.Get].
func (i Inputs[T]) Get(example T) (*dynamodb.GetItemInput, error) {
	o, err := planGetItem(i.r.v, i.r.definition(), codec.PtrTo(&example))
	if err != nil {
		return nil, i.r.v.refused("get", i.r.definition(), err)
	}
	return o.Primary.GetItemInput(i.r.v.env.Table), nil
}

// Create is the input of [Repo.Create].
func (i Inputs[T]) Create(e *T) (*dynamodb.PutItemInput, error) {
	return i.put("create", write.Create, e, nil)
}

// Put is the input of [Repo.Put].
func (i Inputs[T]) Put(e *T, conds ...attr.Cond[T]) (*dynamodb.PutItemInput, error) {
	return i.put("put", write.Put, e, trees(conds))
}

func (i Inputs[T]) put(verb string, plan planPut, e *T, conds []any) (*dynamodb.PutItemInput, error) {
	d := i.r.definition()
	if e == nil {
		return nil, i.r.v.refused(verb, d, errNil)
	}
	stored := *e
	o, _, err := planPutItem(i.r.v, d, plan, codec.PtrTo(&stored), conds, op.Nothing)
	if err != nil {
		return nil, i.r.v.refused(verb, d, err)
	}
	return o.Primary.PutItemInput(i.r.v.env.Table), nil
}

// Update is the input of [Repo.Update].
func (i Inputs[T]) Update(example T, change attr.Change[T], more ...attr.Change[T]) (*dynamodb.UpdateItemInput, error) {
	return i.update("update", false, example, changes(change, more))
}

// Upsert is the input of [Repo.Upsert].
func (i Inputs[T]) Upsert(example T, change attr.Change[T], more ...attr.Change[T]) (*dynamodb.UpdateItemInput, error) {
	return i.update("upsert", true, example, changes(change, more))
}

// update compiles without ReadFirst: an input that cannot be made without reading is refused, naming what is missing.
func (i Inputs[T]) update(verb string, upsert bool, example T, changes []any) (*dynamodb.UpdateItemInput, error) {
	d := i.r.definition()
	v := i.r.v
	if v != nil && v.readFirst {
		known := *v
		known.readFirst = false
		v = &known
	}
	o, err := planUpdateItem(v, d, upsert, codec.PtrTo(&example), changes, op.AllNew)
	if err != nil {
		return nil, v.refused(verb, d, err)
	}
	return o.Primary.UpdateItemInput(v.env.Table), nil
}

// Delete is the input of [Repo.Delete].
func (i Inputs[T]) Delete(example T, conds ...attr.Cond[T]) (*dynamodb.DeleteItemInput, error) {
	d := i.r.definition()
	o, err := planDeleteItem(i.r.v, d, codec.PtrTo(&example), trees(conds), op.Nothing)
	if err != nil {
		return nil, i.r.v.refused("delete", d, err)
	}
	return o.Primary.DeleteItemInput(i.r.v.env.Table), nil
}
