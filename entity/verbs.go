package entity

import (
	"context"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// ready reports why a repository cannot be used.
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

// planPut is one of the planners of puts.
type planPut func(write.PutArgs) (op.Operation, write.Stamps, error)

func putItem(ctx context.Context, v *view, d *definition, verb string, plan planPut, entity codec.Ptr, conds []any, ret op.Return, res result) (write.Stamps, error) {
	o, stamps, err := planPutItem(v, d, plan, entity, conds, ret)
	if err != nil {
		return stamps, v.refused(verb, d, err)
	}
	return stamps, do(ctx, v, &o, res.wrote)
}

func planPutItem(v *view, d *definition, plan planPut, entity codec.Ptr, conds []any, ret op.Return) (op.Operation, write.Stamps, error) {
	if err := ready(v, d); err != nil {
		return op.Operation{}, write.Stamps{}, err
	}
	cs, err := openConds(conds)
	if err != nil {
		return op.Operation{}, write.Stamps{}, err
	}
	return plan(write.PutArgs{Plan: d.plan, Entity: entity, Conds: cs, Now: v.now(), Return: ret})
}

func updateItem(ctx context.Context, v *view, d *definition, verb string, upsert bool, example codec.Ptr, changes []any, ret op.Return, res result) error {
	o, err := planUpdateItem(v, d, upsert, example, changes, ret)
	if err != nil {
		return v.refused(verb, d, err)
	}
	return do(ctx, v, &o, res.wrote)
}

func planUpdateItem(v *view, d *definition, upsert bool, example codec.Ptr, changes []any, ret op.Return) (op.Operation, error) {
	if err := ready(v, d); err != nil {
		return op.Operation{}, err
	}
	cs, err := openChanges(changes)
	if err != nil {
		return op.Operation{}, err
	}
	return write.Update(write.UpdateArgs{
		Plan: d.plan, Example: example, Changes: cs, Upsert: upsert, ReadFirst: v.readFirst, AsRead: v.asRead, Now: v.now(), Return: ret,
	})
}

func deleteItem(ctx context.Context, v *view, d *definition, example codec.Ptr, conds []any, ret op.Return, res result) error {
	o, err := planDeleteItem(v, d, example, conds, ret)
	if err != nil {
		return v.refused("delete", d, err)
	}
	return do(ctx, v, &o, res.wrote)
}

func planDeleteItem(v *view, d *definition, example codec.Ptr, conds []any, ret op.Return) (op.Operation, error) {
	if err := ready(v, d); err != nil {
		return op.Operation{}, err
	}
	cs, err := openConds(conds)
	if err != nil {
		return op.Operation{}, err
	}
	return write.Delete(d.plan, example, cs, ret)
}

func getItem(ctx context.Context, v *view, d *definition, example codec.Ptr, item codec.Ptr) error {
	o, err := planGetItem(v, d, example)
	if err != nil {
		return v.refused("get", d, err)
	}
	return do(ctx, v, &o, func(p *core.Plan, reply op.Reply) error {
		if !p.Owns(reply.Item) {
			return fail.NotFound
		}
		return decode(p, reply.Item, item)
	})
}

func planGetItem(v *view, d *definition, example codec.Ptr) (op.Operation, error) {
	if err := ready(v, d); err != nil {
		return op.Operation{}, err
	}
	return write.Get(d.plan, example, v.strong)
}

// do carries an operation out, and hands what came back to take.
func do(ctx context.Context, v *view, o *op.Operation, take func(*core.Plan, op.Reply) error) error {
	return failure(call.Do(ctx, &v.env, o, func(reply op.Reply) error { return take(o.Plan, reply) }))
}

// decode reads an item into the zero entity at a place.
func decode(p *core.Plan, item op.Item, at codec.Ptr) error {
	if err := p.Decode(item, at); err != nil {
		return fail.Unreadable(err)
	}
	return nil
}

func openConds(conds []any) ([]*expr.Cond, error) {
	out := make([]*expr.Cond, 0, len(conds))
	for _, c := range conds {
		if c == nil {
			return nil, errNilCond
		}
		out = append(out, expr.CondOf(c))
	}
	return out, nil
}

func openChanges(changes []any) ([]*expr.Change, error) {
	out := make([]*expr.Change, 0, len(changes))
	for _, c := range changes {
		if c == nil {
			return nil, errNilChange
		}
		out = append(out, expr.ChangeOf(c))
	}
	return out, nil
}
