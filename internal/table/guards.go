package table

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// GuardOptions are the options of CheckGuards and RepairGuards.
type GuardOptions struct {
	Concurrency int                       // requests at the same time; below 1: defaultConcurrency
	Units       float64                   // a budget in read and write units; 0: none
	Progress    func(trestle.GuardReport) // may be nil
}

const (
	defaultConcurrency = 4
	maxConcurrency     = 100
	guardPage          = 1000 // the maximum number of items that one request of a scan reads
	maxProblems        = 1000 // the maximum number of problems that are listed
)

// CheckGuards checks the guards of all items, and the items of all guards, in one scan. It returns
// a *trestle.GuardError for problems.
func (t Table) CheckGuards(ctx context.Context, o GuardOptions) error {
	r := newGuardRun(t, CheckGuardsName, o)
	if err := r.scan(ctx, true, true); err != nil {
		return err
	}
	return r.found.err(t)
}

// RepairGuards repairs the guards of all items, and then deletes the guards without an item. The
// order matters: an item has its own guard before another guard of its value is deleted. It returns
// a *trestle.GuardError for the problems that remain.
func (t Table) RepairGuards(ctx context.Context, o GuardOptions) (trestle.GuardReport, error) {
	r := newGuardRun(t, RepairGuardsName, o)
	r.repairs = true
	err := r.scan(ctx, true, false)
	if err == nil {
		err = r.scan(ctx, false, true)
	}
	if err == nil {
		err = r.found.err(t)
	}
	return r.current(), err
}

// guardRun is a running check or repair.
type guardRun struct {
	Table
	GuardOptions
	name    string
	repairs bool
	now     time.Time
	found   problems

	mu      sync.Mutex
	report  trestle.GuardReport // without Left
	scanned trestle.Capacity    // of the current scan
}

func newGuardRun(t Table, name string, o GuardOptions) *guardRun {
	if o.Concurrency < 1 {
		o.Concurrency = defaultConcurrency
	}
	o.Concurrency = min(o.Concurrency, maxConcurrency)
	return &guardRun{Table: t, GuardOptions: o, name: name, now: t.Config.Now(), found: newProblems(t.Schema)}
}

// scan reads the whole table, and checks the guards of items, the items of guards, or both.
func (r *guardRun) scan(ctx context.Context, items, guards bool) error {
	if r.Schema.Partition.Type == keys.N {
		return nil // no type can have unique values
	}
	query, plan := read.Query{Schema: r.Schema, Strong: true, Segments: r.Concurrency}, new(read.Plan)
	if err := query.Compile(plan); err != nil {
		return r.invalid(r.name, trestle.NoWrite, err)
	}
	plan.Name = r.name
	page := guardPageSink{schema: r.Schema, items: items, guards: guards}
	run := fetch.New(r.Config, plan, &page, fetch.Bounds{PageSize: guardPage}, fetch.AnyOrder, nil)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	var err error
	for err == nil && (r.repairs || !r.found.full()) && run.Next(ctx) {
		r.scanned = run.Event().Capacity
		if err = r.page(ctx, &page); err != nil {
			break
		}
		if r.Progress != nil {
			r.Progress(r.current())
		}
		if c := r.current().Capacity; r.Units > 0 && c.Read+c.Write >= r.Units && !run.Ended() {
			err = &trestle.OpError{Op: r.name, Table: r.Config.Table, Outcome: trestle.NoWrite, Kind: errs.Budget}
		}
	}
	r.report.Capacity.Add(run.Event().Capacity)
	r.scanned = trestle.Capacity{}
	run.Stop()
	run.Close(ctx)
	if err == nil {
		err = run.Err()
	}
	if e := (*trestle.OpError)(nil); err != nil && !errors.As(err, &e) {
		return r.invalid(r.name, trestle.NoWrite, err) // the context has ended
	}
	return err
}

// current returns the report so far.
func (r *guardRun) current() trestle.GuardReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	report := r.report
	report.Left = r.found.count()
	report.Capacity.Add(r.scanned)
	return report
}

// change changes the report.
func (r *guardRun) change(f func(*trestle.GuardReport)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.report)
}

// guardPageSink receives the items and guards of a page.
type guardPageSink struct {
	noSink
	schema        *core.Schema
	items, guards bool // what is wanted
	stored        []storedItem
	kept          []write.GuardCheck // of guards, without their items
}

// storedItem is an item of a type with unique values.
type storedItem struct {
	plan *core.Plan
	write.Stored
}

// Unmatched receives an item.
func (s *guardPageSink) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if p != nil && s.items && len(p.Uniques) > 0 {
		s.stored = append(s.stored, storedItem{p, write.Stored{Key: s.schema.KeyOf(row), Item: row.Item()}})
	}
	return p != nil, nil
}

// Internal receives an item of the library.
func (s *guardPageSink) Internal(row core.Row) {
	p, u := write.GuardOf(s.schema, row.Item())
	if p != nil && s.guards {
		s.kept = append(s.kept, write.GuardCheck{Plan: p, Unique: u, Key: s.schema.KeyOf(row), Guard: row.Item()})
	}
}

// take returns the page and empties the sink.
func (s *guardPageSink) take() (items []storedItem, guards []write.GuardCheck) {
	items, guards = s.stored, s.kept
	s.stored, s.kept = nil, nil
	return items, guards
}

// page checks a page of a scan.
func (r *guardRun) page(ctx context.Context, s *guardPageSink) error {
	items, guards := s.take()
	checks := make([]*guardCheck, 0, len(items)+len(guards))
	for _, i := range items {
		checks = append(checks, r.checksOf(i)...)
	}
	r.change(func(report *trestle.GuardReport) {
		report.Items += len(items)
		report.Guards += len(guards)
	})
	if err := r.readGuards(ctx, checks); err != nil {
		return err
	}
	for _, g := range guards {
		checks = append(checks, &guardCheck{GuardCheck: g, orphan: true})
	}
	if err := r.readOwners(ctx, checks); err != nil {
		return err
	}
	return r.settle(ctx, checks)
}

// checksOf returns a check of each guard that an item should have.
func (r *guardRun) checksOf(i storedItem) (list []*guardCheck) {
	guards, err := write.StoredGuards(i.plan, i.Item)
	if err != nil {
		r.found.add(trestle.GuardProblem{Kind: trestle.GuardUnchecked, Entity: i.plan.Name, Item: i.Key, Err: err})
	}
	for n, key := range guards {
		if key != nil {
			list = append(list, &guardCheck{GuardCheck: write.GuardCheck{Plan: i.plan, Unique: i.plan.Uniques[n], Key: key, Holder: i.Stored}})
		}
	}
	return list
}

// readGuards reads the guard of each check.
func (r *guardRun) readGuards(ctx context.Context, checks []*guardCheck) error {
	var wanted []fetch.KeyRequest
	for _, c := range checks {
		wanted = append(wanted, r.request(c.Key))
	}
	return r.read(ctx, wanted, func(i int, row core.Row) { checks[i].Guard = row.Item() })
}

// readOwners reads the item that each guard names, unless the check has it.
func (r *guardRun) readOwners(ctx context.Context, checks []*guardCheck) error {
	var wanted []fetch.KeyRequest
	var of []*guardCheck
	for _, c := range checks {
		if c.setOwner(); c.Owner.Key != nil && c.Owner.Item == nil && !c.Same() {
			wanted, of = append(wanted, r.request(c.Owner.Key)), append(of, c)
		}
	}
	return r.read(ctx, wanted, func(i int, row core.Row) { of[i].Owner.Item = row.Item() })
}

func (r *guardRun) request(key map[string]core.AV) fetch.KeyRequest {
	return fetch.KeyRequest{Table: r.Config.Table, Schema: r.Schema, Key: key, Strong: true}
}

// batchSize is the number of items of one batch read.
const batchSize = 100

// read reads items by their keys, several batches at the same time. take is called for each item
// that exists.
func (r *guardRun) read(ctx context.Context, wanted []fetch.KeyRequest, take func(i int, row core.Row)) error {
	batches := (len(wanted) + batchSize - 1) / batchSize
	return parallel(ctx, r.Concurrency, batches, func(ctx context.Context, n int) error {
		first := n * batchSize
		call := exec.NewCall(r.Config, trestle.OperationInfo{Operation: r.name, Table: r.Config.Table}, nil, trestle.NoWrite)
		_, err := fetch.BatchGet(ctx, &call, wanted[first:min(first+batchSize, len(wanted))], fetch.Projection{}, func(i int, row core.Row) error {
			take(first+i, row)
			return nil
		})
		r.change(func(report *trestle.GuardReport) { report.Capacity.Add(call.Capacity) })
		return err
	})
}

// parallel calls f for 0 to n-1, at most limit times at the same time. After an error it calls f no
// more. It returns the first error, or that of the ended context.
func parallel(ctx context.Context, limit, n int, f func(ctx context.Context, i int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	var once sync.Once
	var first error
	next := make(chan int)
	for range min(limit, n) {
		workers.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					once.Do(func() { first = err })
					cancel()
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	if first == nil {
		return outer.Err()
	}
	return first
}
