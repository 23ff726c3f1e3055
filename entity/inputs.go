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
	o, err := i.r.planPut(verb, plan, e, conds)
	if err != nil {
		return nil, err
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

func (i Inputs[T]) update(verb string, upsert bool, example T, changes []any) (*dynamodb.UpdateItemInput, error) {
	o, err := i.r.planUpdate(verb, upsert, example, changes)
	if err != nil {
		return nil, err
	}
	return o.Primary.UpdateItemInput(i.r.v.env.Table), nil
}

// Delete is the input of [Repo.Delete].
func (i Inputs[T]) Delete(example T, conds ...attr.Cond[T]) (*dynamodb.DeleteItemInput, error) {
	o, err := i.r.planDelete(example, conds)
	if err != nil {
		return nil, err
	}
	return o.Primary.DeleteItemInput(i.r.v.env.Table), nil
}

// planPut plans a put that is not sent.
func (r Repo[T]) planPut(verb string, plan planPut, e *T, conds []any) (op.Operation, error) {
	d := r.definition()
	if e == nil {
		return op.Operation{}, r.v.refused(verb, d, errNil)
	}
	stored := *e
	o, _, err := planPutItem(r.v, d, plan, codec.PtrTo(&stored), conds, op.Nothing)
	return o, r.v.refused(verb, d, err)
}

// planUpdate plans an update that is not sent, without ReadFirst: one that cannot be planned without reading is refused, naming what is missing.
func (r Repo[T]) planUpdate(verb string, upsert bool, example T, changes []any) (op.Operation, error) {
	v := r.v
	if v != nil && v.readFirst {
		known := *v
		known.readFirst = false
		v = &known
	}
	o, err := planUpdateItem(v, r.definition(), upsert, codec.PtrTo(&example), changes, op.AllNew)
	return o, v.refused(verb, r.definition(), err)
}

// planDelete plans a delete that is not sent.
func (r Repo[T]) planDelete(example T, conds []attr.Cond[T]) (op.Operation, error) {
	o, err := planDeleteItem(r.v, r.definition(), codec.PtrTo(&example), trees(conds), op.Nothing)
	return o, r.v.refused("delete", r.definition(), err)
}
