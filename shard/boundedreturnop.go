package shard

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// ReturnOp is [Bounded.Return] as an operation, for a transaction: [tx.Write] applies it together
// with other operations, or not at all. A transaction has at most one take or return of each
// counter.
//
// It costs a read unit, for the marker, and 4 write units. Errors: [trestle.ErrNotFound] if the key
// took nothing, or its marker was deleted because it had expired. [trestle.ErrExists] if it was
// returned before. [trestle.ErrCondition] if it is returned at the same time.
func (b *Bounded) ReturnOp(name, key string) entity.Operation {
	if err := b.ready(opReturn, name); err != nil {
		return libitem.InvalidOperation(err)
	}
	at, err := b.base.layout.takenKey(name, key)
	if wrong := libitem.CheckText("the key of the take", key); wrong != nil {
		err = wrong
	}
	if err != nil {
		return libitem.InvalidOperation(b.base.failed(opReturn, err))
	}
	r := &returning{Bounded: b, name: name, key: key, at: at}
	subject, _ := b.base.layout.limitKey(name, poolPart) // ready has checked it
	return libitem.Operation(b.base.exec, b.base.plan, repo.Addition{Plan: r.plan, Subject: subject})
}

// returning is a return as an operation.
type returning struct {
	*Bounded
	name, key string
	at        op.Item // the key of the marker
}

// plan plans the return. The marker tells the number and the shard, so they are an example if
// nothing is sent.
func (r *returning) plan(sends bool) (op.Operation, error) {
	o := op.Operation{Name: opReturn, Plan: r.base.plan}
	if !sends {
		var err error
		o.Actions, err = r.actionsOf(marker{n: 1})
		return o, err
	}
	o.PreRead = &op.PreRead{
		Reads: []op.Action{{Verb: op.Get, Plan: r.base.plan, Key: r.at, Strong: true, Idempotent: true}},
		Plan:  r.planFrom,
	}
	return o, nil
}

// planFrom plans the return of what a stored marker took.
func (r *returning) planFrom(stored []op.Item) ([]op.Action, error) {
	m, err := returnable(stored[0])
	switch {
	case err != nil:
		return nil, err
	case m.returned:
		return nil, errKeyReturned
	default:
		return r.actionsOf(m)
	}
}

func (r *returning) actionsOf(m marker) ([]op.Action, error) {
	list, err := r.returnOf(r.name, r.at, m)
	for i := range list {
		list[i].Plan = r.base.plan
	}
	return list, err
}
