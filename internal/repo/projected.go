package repo

import (
	"context"
	"maps"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Late marks a projection that was declared after the schema was opened.
func (m *Projection) Late() {
	if m != nil {
		m.late = true
	}
}

// Source returns what queries need of the projection.
func (m *Projection) Source() hooks.Projection {
	if err := m.usable(); err != nil {
		return hooks.Projection{Err: err}
	}
	return hooks.Projection{Plan: m.typ.Plan, Fields: m.fields, Copy: m.Copy}
}

func (m *Projection) usable() error {
	switch {
	case m == nil || m.typ == nil:
		return errNoProjection
	case m.late:
		return errTooLate
	default:
		return nil
	}
}

// readyFor reports why the repository cannot read a projection; nil is the whole entity.
func (r Repo) readyFor(m *Projection) error {
	if err := r.ready(); err != nil || m == nil {
		return err
	}
	if err := m.usable(); err != nil {
		return err
	}
	if m.typ != r.typ {
		return errOtherTable
	}
	return nil
}

// Get reads the projected part of the example's item into the struct that part points to.
func (m *Projection) Get(ctx context.Context, from *Repo, example, part any) error {
	r, o, err := m.plan(from, example)
	if err != nil {
		return err
	}
	return exec.Do(ctx, &r.view.Exec, &o, func(reply op.Reply) error {
		row := reply.Rows.First()
		if !r.view.sees(o.Plan, row) {
			return errs.NotFound
		}
		return m.decode(o.Plan, row, reflect.ValueOf(part))
	})
}

// Input returns the input of Get.
func (m *Projection) Input(from *Repo, example any) (*dynamodb.GetItemInput, error) {
	r, o, err := m.plan(from, example)
	if err != nil {
		return nil, err
	}
	return o.Actions[0].GetItemInput(r.view.Exec.Table), nil
}

// Explain explains Get.
func (m *Projection) Explain(from *Repo, example any, assume []trestle.Assumption) (trestle.Explanation, error) {
	r, o, err := m.plan(from, example)
	if err != nil {
		return trestle.Explanation{}, err
	}
	return explain.Get(&o.Actions[0], r.view.Exec.Table, r.view.hidesExpired(r.typ.Plan), firstOf(assume)), nil
}

// plan plans the read of the projected part of an item.
func (m *Projection) plan(from *Repo, example any) (Repo, op.Operation, error) {
	r := from.parts()
	if m == nil {
		m = &Projection{}
	}
	if err := r.readyFor(m); err != nil {
		return r, op.Operation{}, m.invalid(r, Get.String(), err)
	}
	own, err := r.view.Exec.Tenant.BindPtr(r.typ.Plan, example)
	if err != nil {
		return r, op.Operation{}, m.invalid(r, Get.String(), err)
	}
	o, err := write.Get(r.typ.Plan, own, r.view.Strong)
	if err != nil {
		return r, o, m.invalid(r, Get.String(), err)
	}
	places, err := write.Places(r.typ.Plan, own)
	if err != nil {
		return r, o, m.invalid(r, Get.String(), err)
	}
	o.Actions[0].Elsewhere = places[1:]
	// The caller of Input may change the map.
	o.Actions[0].Projection, o.Actions[0].Names = m.expression, maps.Clone(m.names)
	return r, o, nil
}

// invalid returns the error of an operation that sends nothing. It names the type of the
// projection.
func (m *Projection) invalid(r Repo, operation string, err error) error {
	r.typ = m.typ
	return r.invalid(operation, trestle.NoWrite, err)
}

// request returns the expression that requests the projected attributes.
func (m *Projection) request() fetch.Projection {
	if m == nil {
		return fetch.Projection{}
	}
	return fetch.Projection{Expression: m.expression, Names: m.names}
}

// decode decodes an item that has only the projected attributes. The argument to is a pointer to a
// zero projection, or without a projection to a zero entity.
func (m *Projection) decode(plan *core.Plan, row core.Row, to reflect.Value) error {
	if m == nil {
		return decode(plan, row, to.Interface())
	}
	whole := reflect.New(plan.Type)
	if err := decode(plan, row, whole.Interface()); err != nil {
		return err
	}
	m.Copy(whole.Elem(), to.Elem())
	return nil
}
