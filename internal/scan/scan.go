// Package scan reads whole tables: in parallel segments, within a budget, at a rate, with progress
// after each page, and from a token on. It also sends the other requests of such a run.
package scan

import (
	"context"
	"errors"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

const (
	defaultConcurrency = 4
	maxConcurrency     = 100
	maxPage            = 1000 // the maximum number of items that one request reads
)

// Table is an opened table.
type Table struct {
	Config  *exec.Config
	Schema  *core.Schema
	Cursors *cursor.Codec // nil: it was opened without cursors, so its runs have no tokens
}

// Options are the options of a run.
type Options struct {
	Concurrency int     // segments, and other requests at the same time; below 1: defaultConcurrency
	Budget      float64 // in read and write units; 0: none
	Rate        float64 // read and write units per second; 0: no limit
	From        string  // the token of an earlier run; "": the beginning
	Progress    func()  // is called after each page; may be nil
	Items       int     // the maximum number of items that are read; 0: all
	Eventual    bool    // the table is read eventually consistent
}

// Run is a run over a table. It is safe for concurrent use.
type Run struct {
	Table
	Options
	Name    string          // of the operation
	Outcome trestle.Outcome // of an error before anything was written

	tokens tokens
	rate   limiter

	mu    sync.Mutex
	spent trestle.Capacity
}

// New returns a run. Open opens it.
func New(t Table, name string, outcome trestle.Outcome, o Options) *Run {
	if o.Concurrency < 1 {
		o.Concurrency = defaultConcurrency
	}
	o.Concurrency = min(o.Concurrency, maxConcurrency)
	if o.Items > 0 { // a small sample needs one request
		o.Concurrency = min(o.Concurrency, (o.Items-1)/maxPage+1)
	}
	return &Run{Table: t, Options: o, Name: name, Outcome: outcome, rate: limiter{rate: o.Rate}}
}

// Scan reads the whole table, from where the token says. After each page it calls page, and then
// Progress. It ends when page returns false or an error. Without an error, the token is behind the
// page.
func (r *Run) Scan(ctx context.Context, s *Sink, page func(ctx context.Context) (more bool, err error)) error {
	query := read.Query{Schema: r.Schema, Strong: !r.Eventual, Segments: r.Concurrency}
	bounds := fetch.Bounds{PageSize: maxPage, Items: r.Items}
	if r.Items > 0 {
		bounds.PageSize = min(r.Items, maxPage)
	}
	return r.read(ctx, query, bounds, s, r.tokens.from, func(ctx context.Context, run *fetch.Run) (bool, error) {
		more, err := page(ctx)
		if err == nil {
			err = r.seal(run.Positions())
		}
		if err == nil && r.Progress != nil {
			r.Progress()
		}
		return more, err
	})
}

// Read reads the items of a query, which is no part of the scan, and calls page after each page.
func (r *Run) Read(ctx context.Context, query read.Query, s *Sink, page func(ctx context.Context) error) error {
	return r.read(ctx, query, fetch.Bounds{PageSize: maxPage}, s, nil, func(ctx context.Context, _ *fetch.Run) (bool, error) {
		return true, page(ctx)
	})
}

func (r *Run) read(
	ctx context.Context, query read.Query, bounds fetch.Bounds, s *Sink, from []cursor.Position,
	page func(ctx context.Context, run *fetch.Run) (more bool, err error),
) error {
	plan := new(read.Plan)
	if err := query.Compile(plan); err != nil {
		return r.Fail(trestle.NoWrite, err)
	}
	plan.Name = r.Name
	run := fetch.New(r.Config, plan, s, bounds, fetch.AnyOrder, from)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	var err error
	var before trestle.Capacity
	for more := true; more && err == nil && run.Next(ctx); {
		now := run.Event().Capacity
		r.Spend(trestle.Capacity{Read: now.Read - before.Read, Write: now.Write - before.Write})
		before = now
		if err = r.awaitRate(ctx); err == nil {
			more, err = page(ctx, run)
		}
		if err == nil && more && !run.Ended() {
			err = r.WithinBudget()
		}
	}
	run.Stop()
	run.Close(ctx)
	if err == nil {
		err = run.Err()
	}
	if e := (*trestle.OpError)(nil); err != nil && !errors.As(err, &e) {
		return r.Fail(trestle.NoWrite, err) // the context has ended
	}
	return err
}

// Spend adds capacity that the run has consumed.
func (r *Run) Spend(c trestle.Capacity) {
	r.Locked(func() {
		r.spent.Add(c)
		r.rate.add(c)
	})
}

// Spent returns the capacity so far.
func (r *Run) Spent() (c trestle.Capacity) {
	r.Locked(func() { c = r.spent })
	return c
}

// WithinBudget returns an error if the budget is used up.
func (r *Run) WithinBudget() error {
	if c := r.Spent(); r.Budget > 0 && c.Read+c.Write >= r.Budget {
		return &trestle.OpError{Op: r.Name, Table: r.Config.Table, Outcome: trestle.NoWrite, Kind: errs.Budget}
	}
	return nil
}

// Fail returns an error of the run that is not one of a request.
func (r *Run) Fail(outcome trestle.Outcome, err error) error {
	e := &trestle.OpError{Op: r.Name, Table: r.Config.Table, Outcome: outcome}
	e.Kind, e.Err = errs.Classify(err)
	return e
}

// Locked calls f while no other goroutine of the run does.
func (r *Run) Locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}
