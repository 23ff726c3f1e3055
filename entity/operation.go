package entity

import (
	"context"

	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// anyOp is an Op without its type parameter.
type anyOp struct{ operation operation }

// op returns an operation with one argument, a pointer to an entity.
//
//go:noinline
func (r *repo) op(verb string, entity any) *anyOp {
	return &anyOp{operation{repo: r.parts(), verb: verb, entity: entity, ret: returned(verb)}}
}

// conditional returns an operation with conditions.
//
//go:noinline
func (r *repo) conditional(verb string, entity any, conds []*expr.Cond) *anyOp {
	o := r.op(verb, entity)
	o.operation.conds = conds
	return o
}

// changing returns an operation with changes.
//
//go:noinline
func (r *repo) changing(verb string, example any, changes []*expr.Change) *anyOp {
	o := r.op(verb, example)
	o.operation.changes = changes
	return o
}

// returned is the default return of a verb.
func returned(verb string) op.Return {
	if verb == updateVerb || verb == upsertVerb {
		return op.AllNew
	}
	return op.Nothing
}

// start returns the operation. For an Op that Ops did not return, it has no table.
func (a *anyOp) start() operation {
	if a == nil || a.operation.verb == "" {
		return operation{verb: "operation"}
	}
	return a.operation
}

//go:noinline
func (a *anyOp) do(ctx context.Context, item any, found *bool, capacity *Capacity, attempts *int) error {
	o := a.start()
	return o.do(ctx, result{item, found, capacity, attempts})
}

//go:noinline
func (a *anyOp) returning(what Return) *anyOp {
	o := a.start()
	o.ret, o.err = op.Return(what), o.returns(what)
	return &anyOp{o}
}

// returns reports why the verb cannot return the given part of the item.
func (o *operation) returns(what Return) error {
	switch {
	case what < AllOld || what > UpdatedNew:
		return errNoReturn
	case o.verb == getVerb || o.verb == createVerb:
		return errNoOld
	case what != AllOld && o.verb != updateVerb && o.verb != upsertVerb:
		return errOldOnly
	default:
		return nil
	}
}

//go:noinline
func (a *anyOp) input() (Input, error) {
	o := a.start()
	p, err := o.plan(false)
	if err != nil {
		return Input{}, err
	}
	if p.PreRead != nil {
		return Input{}, o.refused(o.verb, errReadsFirst)
	}
	switch table := o.v.env.Table; p.Primary.Verb {
	case op.Put:
		return Input{Put: p.Primary.PutItemInput(table)}, nil
	case op.Update:
		return Input{Update: p.Primary.UpdateItemInput(table)}, nil
	case op.Delete:
		return Input{Delete: p.Primary.DeleteItemInput(table)}, nil
	default:
		return Input{Get: p.Primary.GetItemInput(table)}, nil
	}
}

//go:noinline
func (a *anyOp) explain(assume []Assumption) (Explanation, error) {
	o := a.start()
	p, err := o.plan(o.v != nil && o.v.readFirst)
	if err != nil {
		return Explanation{}, err
	}
	table, assumed := o.v.env.Table, explain.Assumption(firstOf(assume))
	switch {
	case o.verb == getVerb:
		return explanation(explain.Get(&p.Primary, table, assumed)), nil
	case p.PreRead == nil:
		return explanation(explain.Write(o.verb, &p.Primary, table, assumed)), nil
	}
	act, err := p.PreRead.Plan(placeholderItem(o.d, o.entity))
	if err != nil {
		return Explanation{}, o.refused(o.verb, err)
	}
	return explanation(explain.WriteAfterRead(o.verb, &act, table, assumed)), nil
}
