package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// request is a query without its type parameter. It is a value: builders change copies of it.
type request struct {
	env     *exec.Config
	cursors *cursor.Codec
	query   read.Query
	bounds  fetch.Bounds
	bound   []string      // values that cursors are bound to
	faults  errs.Problems // in the builder's arguments
	err     error         // why the source cannot be used
}

// newRequest returns a query of a source. It reads the access pattern with the name access, or the
// table if access is empty. The example is a pointer to an entity.
//
//go:noinline
func newRequest(source any, access string, example any) request {
	s := door.SourceOf(source)
	return request{
		env: s.Env, cursors: s.Cursors, err: s.Err,
		query: read.Query{Plan: s.Plan, Access: access, Example: codec.PtrTo(example), Strong: s.Strong},
	}
}

// newNamed is like newRequest, but requires the name of an access pattern.
//
//go:noinline
func newNamed(source any, access string, example any) request {
	r := newRequest(source, access, example)
	if access == "" && r.err == nil {
		r.err = errs.New("", "the access pattern has no name", "name one, or read the table with query.Of")
	}
	return r
}

// fault records a mistake in a builder's argument.
func (r *request) fault(reason, hint string) {
	r.faults = append(r.faults[:len(r.faults):len(r.faults)], errs.Problem{Reason: reason, Hint: hint})
}

// errNoSource is the error of a zero query.
var errNoSource = errs.New("", "the query reads from nowhere", "make it with query.Of or query.On")

// errNoRequest is the error of input if the query sends no request.
var errNoRequest = errs.New("", "no key can match the conditions, so that nothing is sent", "look at their bounds")

// plan compiles the query. It reports all mistakes in the query and in its builder's arguments at
// once.
func (r *request) plan() (*read.Plan, error) {
	p := new(read.Plan)
	if err := r.planTo(p); err != nil {
		return nil, err
	}
	return p, nil
}

// planTo compiles the query into a plan of the caller, which can stay on the stack.
func (r *request) planTo(p *read.Plan) error {
	switch {
	case r.err != nil:
		return r.refused(r.err)
	case r.query.Plan == nil:
		return r.refused(errNoSource)
	}
	err := r.query.Compile(p)
	if len(r.faults) > 0 {
		problems := append(errs.Problems(nil), r.faults...)
		problems.AddErr("", err)
		err = problems.Err()
	}
	if err != nil {
		return r.refused(err)
	}
	return nil
}

// run returns a reader of the query that starts at a position.
func (r *request) run(p *read.Plan, s sink, from cursor.Position) *fetch.Reader {
	return fetch.New(r.env, p, s, r.bounds, from)
}

// refused returns the error of a query that is never sent.
func (r *request) refused(err error) error {
	return r.failed("query", errs.KindOf(err), err)
}

// failed returns the error of a failed query.
func (r *request) failed(name string, kind, err error) error {
	f := &exec.Failure{Operation: name, Plan: r.query.Plan, Kind: kind, Outcome: op.NoWrite, Err: err}
	if r.env != nil {
		f.Table = r.env.Table
	}
	if r.query.Plan != nil {
		f.Entity, f.Index = r.query.Plan.Name, r.query.IndexName()
	}
	return door.Fail(f)
}

func (r *request) input() (*dynamodb.QueryInput, error) {
	var p read.Plan
	if err := r.planTo(&p); err != nil {
		return nil, err
	}
	if p.From(0) == p.Parts() {
		return nil, r.refused(errNoRequest)
	}
	return fetch.FirstInput(r.env, &p, r.bounds), nil
}

// each runs the query from its beginning. It returns an error if a budget ends the read before its
// end.
func (r *request) each(ctx context.Context, p *read.Plan, s sink, more func() bool) error {
	run := r.run(p, s, cursor.Position{})
	stopped := false
	err := run.Each(ctx, func() bool {
		stopped = !more()
		return !stopped
	})
	switch {
	case stopped:
		return nil
	case err != nil:
		return door.Fail(err)
	case run.Short():
		return r.failed(p.Name, errs.Budget, nil)
	}
	return nil
}
