package entity

import (
	"context"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// repo is a Repo, a Reader or an Ops without the type parameter.
type repo struct {
	v *view
	d *definition
}

// parts returns the repository, or an empty one for nil.
func (r *repo) parts() repo {
	if r == nil {
		return repo{}
	}
	return *r
}

// typ returns the *Type of the repository, or nil if it has none.
func (r *repo) typ() any {
	if d := r.parts().d; d != nil {
		return d.typ
	}
	return nil
}

// ready reports why the repository cannot be used.
func (r repo) ready() error { return ready(r.v, r.d) }

// refused converts a validation error to an OpError; nil stays nil.
func (r repo) refused(verb string, err error) error { return r.v.refused(verb, r.d, err) }

// ready reports why a type cannot be used on a table.
func ready(v *view, d *definition) error {
	switch {
	case v == nil || d == nil || v.table == nil:
		return errNoTable
	case v.table.schema != d.schema:
		return errOtherTable
	case d.late:
		return errTooLate
	}
	return nil
}

// The names of verbs, as in errors, explanations and events.
const (
	getVerb       = "get"
	manyVerb      = "get many"
	putVerb       = "put"
	createVerb    = "create"
	overwriteVerb = "overwrite"
	updateVerb    = "update"
	upsertVerb    = "upsert"
	deleteVerb    = "delete"
)

// operation is a verb on one item with its arguments, before planning. It is an Op without its type
// parameter.
type operation struct {
	repo
	verb    string
	entity  any    // a pointer to the entity or the example
	conds   any    // a slice of attr.Cond
	changes [2]any // an attr.Change, and a slice of attr.Change
	ret     op.Return
	err     error // error of an earlier call, such as Return
}

// puts reports whether the operation stores a whole entity.
func (o *operation) puts() bool {
	return o.verb == putVerb || o.verb == createVerb || o.verb == overwriteVerb
}

// planned is an operation that can be sent, with the stamps for the entity after the write is
// applied.
type planned struct {
	op.Operation
	stamps write.Stamps
}

// plan compiles the operation. Its error is an OpError.
func (o *operation) plan(readFirst bool) (planned, error) {
	p, err := o.compile(readFirst)
	return p, o.refused(o.verb, err)
}

func (o *operation) compile(readFirst bool) (p planned, err error) {
	if err := o.ready(); err != nil {
		return p, err
	}
	if o.err != nil {
		return p, o.err
	}
	at := reflect.ValueOf(o.entity)
	if at.IsNil() {
		return p, errNil
	}
	conds := expr.CondsOf(o.conds)
	switch o.verb {
	case createVerb, putVerb, overwriteVerb:
		args := write.PutArgs{Plan: o.d.plan, Entity: codec.PtrOf(o.d.copied(at.Elem())), Conds: conds, Now: o.v.now(), Return: o.ret}
		p.Operation, p.stamps, err = planners[o.verb](args)
	case updateVerb, upsertVerb:
		changes := append([]*expr.Change{expr.ChangeOf(o.changes[0])}, expr.ChangesOf(o.changes[1])...)
		p.Operation, err = write.Update(write.UpdateArgs{
			Plan: o.d.plan, Example: codec.PtrOf(at.Elem()), Changes: changes, Upsert: o.verb == upsertVerb,
			ReadFirst: readFirst, AsRead: o.v.asRead, Now: o.v.now(), Return: o.ret,
		})
	case deleteVerb:
		p.Operation, err = write.Delete(o.d.plan, codec.PtrOf(at.Elem()), conds, o.ret)
	default:
		p.Operation, err = write.Get(o.d.plan, codec.PtrOf(at.Elem()), o.v.strong)
	}
	return p, err
}

var planners = map[string]func(write.PutArgs) (op.Operation, write.Stamps, error){
	createVerb: write.Create, putVerb: write.Put, overwriteVerb: write.Overwrite,
}

// result has pointers to the results of an operation; nil for unwanted results.
type result struct {
	item     any // a pointer to a zero entity
	found    *bool
	capacity *Capacity
	attempts *int
}

// do sends the operation. It stamps the caller's entity only if the write was applied.
func (o *operation) do(ctx context.Context, res result) error {
	readFirst := o.v != nil && o.v.readFirst
	p, err := o.plan(readFirst)
	if err != nil {
		return err
	}
	attempts := 0
	err = failure(exec.Do(ctx, &o.v.env, &p.Operation, func(reply op.Reply) error {
		attempts = reply.Attempts
		return res.take(p.Plan, o.verb, reply)
	}))
	// A write may be applied although its reply cannot be decoded, which is also an error.
	if !o.puts() || OutcomeOf(err) != Applied {
		return err
	}
	if bad := p.stamps.Apply(codec.PtrTo(o.entity)); bad != nil && err == nil {
		err = &OpError{Op: o.verb, Entity: o.d.plan.Name, Table: o.v.env.Table, Outcome: Applied, Attempts: attempts, cause: errs.Undecodable(bad)}
	}
	return err
}

// take stores a reply in the result.
func (r result) take(p *core.Plan, verb string, reply op.Reply) error {
	if r.capacity != nil {
		*r.capacity, *r.attempts = Capacity(reply.Capacity), reply.Attempts
	}
	switch {
	case verb == getVerb && !p.Matches(reply.Item):
		return errs.NotFound
	case len(reply.Item) == 0 || r.item == nil:
		return nil
	}
	if r.found != nil {
		*r.found = true
	}
	return decode(p, reply.Item, r.item)
}

// decode decodes an item into a pointer to a zero entity. After an error the entity is zero again.
func decode(p *core.Plan, item op.Item, entity any) error {
	if err := p.Decode(item, codec.PtrTo(entity)); err != nil {
		reflect.ValueOf(entity).Elem().SetZero()
		return errs.Undecodable(err)
	}
	return nil
}
