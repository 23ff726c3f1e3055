package entity

import (
	"context"
	"maps"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Projection reads items of T as the smaller struct P: the service returns only the attributes of
// P's fields. [Project] returns it. It reduces network traffic and decoding, but not read units,
// because the service charges for the whole item.
type Projection[T, P any] struct {
	d *definition
	p *projected
}

// Project declares P as a projection of T. Each field of P names an attribute of T, by its
// dynamodbav name or its Go name, and must have the Go type of T's field. T defines how the
// attribute is stored, so roles and options in P's tags have no effect. Project never fails:
// [Schema.Err] and [Schema.Open] report its mistakes with all others.
//
//	var Badges = entity.Project[Badge](Employees)
func Project[P, T any](t *Type[T]) Projection[T, P] {
	d := t.definition()
	if d == nil || d.plan == nil {
		return Projection[T, P]{d: d}
	}
	p, issues := project(d.plan, reflect.TypeFor[P]())
	if !d.schema.note(issues) {
		d = &definition{schema: d.schema, late: true}
	}
	return Projection[T, P]{d: d, p: p}
}

// Get reads the item of the example's key as a P. It returns [ErrNotFound] if there is no item, or
// if the item with that key is of another type.
func (p Projection[T, P]) Get(ctx context.Context, from Source[T], example T) (P, error) {
	var part, zero P
	v, o, err := p.plan(from, &example)
	if err != nil {
		return zero, v.refused("get", p.d, err)
	}
	err = failure(exec.Do(ctx, &v.env, &o, func(reply op.Reply) error {
		if !o.Plan.Matches(reply.Item) {
			return errs.NotFound
		}
		return p.p.decode(o.Plan, reply.Item, reflect.ValueOf(&part).Elem())
	}))
	if err != nil {
		return zero, err
	}
	return part, nil
}

// Input returns the SDK input of Get, to inspect, test, or send by other means.
func (p Projection[T, P]) Input(from Source[T], example T) (*dynamodb.GetItemInput, error) {
	v, o, err := p.plan(from, &example)
	if err != nil {
		return nil, v.refused("get", p.d, err)
	}
	return o.Primary.GetItemInput(v.env.Table), nil
}

// plan plans the read of the projected part of an item.
func (p Projection[T, P]) plan(from Source[T], example *T) (*view, op.Operation, error) {
	v, err := p.open(from)
	if err != nil {
		return v, op.Operation{}, err
	}
	o, err := write.Get(p.d.plan, codec.PtrTo(example), v.strong)
	// The caller of Input may change the map.
	o.Primary.Projection, o.Primary.Names = p.p.expression, maps.Clone(p.p.names)
	return v, o, err
}

// open reports why the projection cannot read from the source.
func (p Projection[T, P]) open(from Source[T]) (*view, error) {
	if from == nil {
		return nil, errNoTable
	}
	r := from.open()
	v, d := r.v, r.d
	switch err := r.ready(); {
	case err != nil:
		return v, err
	case p.d == nil || p.p == nil:
		return v, errNoProjection
	case p.d.late:
		return v, errTooLate
	case p.d != d:
		return v, errOtherTable
	}
	return v, nil
}
