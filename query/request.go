package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/tenancy"
)

// request is a query or a scan without its type parameter. It is a value: builders change copies of
// it.
type request struct {
	config  *exec.Config
	cursors *cursor.Codec
	query   read.Query
	bounds  fetch.Bounds
	bound   []string      // values that cursors are bound to
	stored  bool          // items are returned as they are stored
	expired bool          // expired items are returned too
	faults  errs.Problems // in the builder's arguments
	// progress is called after each page; it may be nil.
	progress func(Progress)
	err      error // why the source cannot be used
}

// newRequest returns a query of a source. It reads the access pattern with the name access, or the
// table if access is empty. The example is a pointer to an entity.
//
//go:noinline
func newRequest(source any, access string, example any) request {
	s := hooks.SourceOf(source)
	r := request{
		config: s.Config, cursors: s.Cursors, err: s.Err, expired: s.Expired,
		query: read.Query{Plan: s.Plan, Access: access, Example: codec.PtrTo(example), Strong: s.Strong},
	}
	if s.Plan != nil {
		r.query.Schema = s.Plan.Schema
		r.query.Example, r.err = s.Config.Tenant.BindPtr(s.Plan, example)
	}
	return r
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

// newScan returns a scan of a source.
//
//go:noinline
func newScan(source any) request {
	s := hooks.SourceOf(source)
	r := request{
		config: s.Config, cursors: s.Cursors, err: s.Err, expired: s.Expired,
		query: read.Query{Plan: s.Plan, Strong: s.Strong, Segments: 1},
	}
	if s.Plan != nil {
		r.query.Schema, r.err = s.Plan.Schema, scannable(s.Config)
	}
	return r
}

// newTableScan returns a scan of every type.
func newTableScan(table any, stored bool) request {
	t := hooks.TableOf(table)
	r := request{config: t.Config, cursors: t.Cursors, err: t.Err, stored: stored, expired: t.Expired, query: read.Query{Schema: t.Schema, Segments: 1}}
	if r.err == nil {
		r.err = scannable(t.Config)
	}
	return r
}

// scannable reports why a handle cannot scan its table.
func scannable(c *exec.Config) error {
	if c.Tenant != nil {
		return tenancy.ErrScan
	}
	return nil
}

// fault records a mistake in a builder's argument.
func (r *request) fault(reason, hint string) {
	r.faults = append(r.faults[:len(r.faults):len(r.faults)], errs.Problem{Reason: reason, Hint: hint})
}

var (
	errNoSource  = errs.New("", "the query has no source", "make it with query.Of or query.On")
	errNoScan    = errs.New("", "the scan has no source", "make it with query.Scan or query.ScanTable")
	errNoRequest = errs.New("", "no key can match the conditions, so no request is sent", "check the bounds of the conditions")
	errNoCursors = errs.New("", "the table was opened without cursors", "open it with entity.Cursors and a ring of keys, or with entity.PlainCursors")
)

// name is the operation's name in errors.
func (r *request) name() string {
	if r.query.Segments > 0 {
		return "scan"
	}
	return "query"
}

// plan compiles the request. It reports all mistakes in the query and in its builder's arguments at
// once.
func (r *request) plan() (*read.Plan, error) {
	switch {
	case r.err != nil:
		return nil, r.invalid(r.err)
	case r.query.Schema == nil && r.query.Segments > 0:
		return nil, r.invalid(errNoScan)
	case r.query.Schema == nil:
		return nil, r.invalid(errNoSource)
	}
	q, p := r.query, new(read.Plan)
	if !r.expired && q.Expires() {
		q.Expiry = core.ExpiryAt(r.config.Now())
	}
	err := q.Compile(p)
	if err == nil && len(r.faults) == 0 && r.bounds.Requests == 0 {
		return p, nil
	}
	problems := append(errs.Problems(nil), r.faults...)
	problems.AddErr("", err)
	if err == nil {
		r.checkRequests(p, &problems)
	}
	if len(problems) > 0 {
		return nil, r.invalid(problems.Err())
	}
	return p, nil
}

// checkRequests reports a budget of requests with which the read could not return anything.
func (r *request) checkRequests(p *read.Plan, problems *errs.Problems) {
	n := r.bounds.Requests
	if n > 0 && n < p.Shards {
		problems.Add("", "MaxRequests is less than the number of shards, and each request reads one of them", "allow at least a request for each shard")
	}
	if n > 0 && n == p.Shards && p.Fetch != nil {
		problems.Add("", "MaxRequests leaves no request to fetch the items of the index entries", "allow at least one more request than there are partitions to read")
	}
}

// start returns a run of a plan and the context for it.
func (r *request) start(ctx context.Context, p *read.Plan, s core.Sink, from []cursor.Position) (context.Context, *fetch.Run) {
	run := fetch.New(r.config, p, s, r.bounds, r.order(p), from)
	ctx = run.Start(ctx)
	return ctx, run
}

// order returns the order in which a plan is read.
func (r *request) order(p *read.Plan) fetch.Order {
	switch {
	case p.Scans():
		return fetch.AnyOrder
	case p.Shards > 1, r.bounds.AtOnce > 1:
		return fetch.Merged
	default:
		return fetch.InTurn
	}
}

// finish closes a run. It returns its error, or an error if a budget ended the run before its end.
func (r *request) finish(ctx context.Context, run *fetch.Run) error {
	run.Close(ctx)
	if err := run.Err(); err != nil {
		return err
	}
	if run.Short() {
		return r.failed(run.Plan().Name, errs.Budget)
	}
	return nil
}

// invalid returns the error of a request that is never sent.
func (r *request) invalid(err error) error { return r.failed(r.name(), err) }

// failed returns the error of a failed request.
func (r *request) failed(name string, err error) error {
	e := &trestle.OpError{Op: name, Outcome: trestle.NoWrite}
	e.Kind, e.Err = errs.Classify(err)
	if r.config != nil {
		e.Table = r.config.Table
	}
	if r.query.Plan != nil {
		e.Entity, e.Index = r.query.Plan.Name, r.query.IndexName()
	}
	return e
}

// inputs returns the inputs of the first requests.
func (r *request) inputs() ([]*dynamodb.QueryInput, error) {
	p, err := r.plan()
	if err != nil {
		return nil, err
	}
	if p.Empty() {
		return nil, r.invalid(errNoRequest)
	}
	return fetch.FirstInputs(r.config, p, r.bounds, r.order(p)), nil
}

// The methods of all generic types share the functions below. They are not inlined, because the
// compiler would repeat them for each entity type.

// where adds an attr.KeyCond.
//
//go:noinline
func (r *request) where(cond expr.AnyCond) { r.query.Where = r.query.Where.With(expr.CondOf(cond)) }

// filter adds conditions on a type's attributes. It does nothing without a plan: the
// request has no source, or a fault is recorded.
//
//go:noinline
func (r *request) filter(p *core.Plan, conds []*expr.Cond) {
	if p == nil {
		return
	}
	filters := r.query.Filter[:len(r.query.Filter):len(r.query.Filter)]
	for _, c := range conds {
		filters = append(filters, read.Filter{Plan: p, Cond: c})
	}
	r.query.Filter = filters
}

//go:noinline
func (r *request) input() (*dynamodb.QueryInput, error) {
	inputs, err := r.inputs()
	if err != nil {
		return nil, err
	}
	return inputs[0], nil
}

//go:noinline
func (r *request) limit(n int) { r.bounds.Items = r.positive("Limit", n) }

//go:noinline
func (r *request) pageSize(n int) { r.bounds.PageSize = r.positive("PageSize", n) }

//go:noinline
func (r *request) maxRequests(n int) { r.bounds.Requests = r.positive("MaxRequests", n) }

//go:noinline
func (r *request) maxUnits(units float64) {
	if !(units > 0) { // also true for NaN
		r.fault("MaxUnits is not above 0", "leave it out to read without that budget")
	}
	r.bounds.Units = units
}

//go:noinline
func (r *request) periods(most, atOnce int) {
	r.query.Periods, r.bounds.AtOnce = r.positive("the number of periods", most), r.positive("the number of periods at the same time", atOnce)
}

//go:noinline
func (r *request) bind(parts []string) {
	r.bound = append(r.bound[:len(r.bound):len(r.bound)], parts...)
}

// positive returns n and reports a fault if n is not above 0.
func (r *request) positive(what string, n int) int {
	if n <= 0 {
		r.fault(what+" is not above 0", "use at least 1, or leave it out")
	}
	return n
}
