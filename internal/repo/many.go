package repo

import (
	"context"
	"fmt"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

const getMany = "get many"

// GetMany reads the items of a slice of examples into a slice of pointers to entities.
func (r *Repo) GetMany(ctx context.Context, examples, found any) error {
	return r.getMany(ctx, examples, found, nil)
}

// GetMany reads the projected parts of items into a slice of pointers to projections.
func (m *Projection) GetMany(ctx context.Context, from *Repo, examples, found any) error {
	if m == nil {
		m = &Projection{}
	}
	return from.getMany(ctx, examples, found, m)
}

func (r *Repo) getMany(ctx context.Context, examples, found any, p *Projection) error {
	at, given, results := r.parts(), reflect.ValueOf(examples), reflect.ValueOf(found)
	keys, err := at.keys(given, p)
	if err != nil {
		return at.invalidFor(p, err)
	}
	if len(keys) == 0 {
		return nil
	}
	plan, config := at.typ.Plan, &at.view.Exec
	call := exec.NewCall(config, trestle.OperationInfo{Operation: getMany, Table: config.Table}, plan, trestle.NoWrite)
	left, err := fetch.BatchGet(ctx, &call, keys, p.request(), func(i int, row core.Row) error {
		return fetch.Take(&call, core.Wanted{Type: plan, Keyed: true, Expiry: at.view.expiry(plan)}, row, func() error {
			item := reflect.New(results.Type().Elem().Elem())
			if err := p.decode(plan, row, item); err != nil {
				return err
			}
			results.Index(i).Set(item)
			return nil
		})
	})
	return Unprocessed(err, len(left), func(i int) any { return given.Index(left[i]).Interface() })
}

// Unprocessed returns the error of a batch that did not process n arguments. The error is nil for
// nil, and unchanged if n is 0, as for a call that failed validation.
func Unprocessed(err error, n int, argument func(i int) any) error {
	if err == nil || n == 0 {
		return err
	}
	items := make([]any, n)
	for i := range items {
		items[i] = argument(i)
	}
	return &trestle.UnprocessedError{Items: func() []any { return items }, Err: err}
}

// invalidFor returns the error of a batch read that sends nothing.
func (r Repo) invalidFor(p *Projection, err error) error {
	if p != nil {
		return p.invalid(r, getMany, err)
	}
	return r.invalid(getMany, trestle.NoWrite, err)
}

// keys renders all keys and reports all problems with them.
func (r Repo) keys(examples reflect.Value, m *Projection) ([]fetch.KeyRequest, error) {
	if err := r.readyFor(m); err != nil {
		return nil, err
	}
	p := r.typ.Plan
	keys := make([]fetch.KeyRequest, examples.Len())
	rendered := core.NewKeyList(p, len(keys))
	var problems errs.Problems
	for i := range keys {
		k := &keys[i]
		k.Table, k.Schema, k.Strong = r.view.Exec.Table, p.Schema, r.view.Strong
		own, err := r.view.Exec.Tenant.Bind(p, examples.Index(i))
		if err == nil && (p.Moved() || !rendered.Add(codec.PtrOf(own))) {
			var places []op.Item
			if places, err = write.Places(p, codec.PtrOf(own)); err == nil {
				k.Key, k.Elsewhere = places[0], places[1:]
			}
		}
		if err != nil {
			problems.AddAt(fmt.Sprintf("examples[%d]", i), err)
		}
	}
	fetch.SetRendered(keys, rendered)
	return keys, problems.Err()
}

// ExplainMany explains GetMany.
func (r *Repo) ExplainMany(examples any, assume []trestle.Assumption) (trestle.Explanation, error) {
	return r.explainMany(examples, nil, assume)
}

// ExplainMany explains GetMany.
func (m *Projection) ExplainMany(from *Repo, examples any, assume []trestle.Assumption) (trestle.Explanation, error) {
	if m == nil {
		m = &Projection{}
	}
	return from.explainMany(examples, m, assume)
}

func (r *Repo) explainMany(examples any, p *Projection, assume []trestle.Assumption) (trestle.Explanation, error) {
	at := r.parts()
	keys, err := at.keys(reflect.ValueOf(examples), p)
	if err != nil {
		return trestle.Explanation{}, at.invalidFor(p, err)
	}
	request := p.request()
	b := explain.Batch{Plan: at.typ.Plan, Table: at.view.Exec.Table, Projection: request.Expression, Names: request.Names, HidesExpired: at.view.hidesExpired(at.typ.Plan)}
	b.Items, b.Strong = fetch.Distinct(keys)
	return explain.Many(b, firstOf(assume)), nil
}
