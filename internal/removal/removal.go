// Package removal deletes all items of a tenant, and checks that none is left.
//
// It finds them by the tenant index, or by partitions that have only items of the tenant. Otherwise
// it scans the table.
package removal

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/table"
)

// The names of the operations in errors and events.
const (
	RemoveName = "remove tenant"
	CheckName  = "check removed tenant"
)

const (
	defaultConcurrency = 4
	maxConcurrency     = 100
)

// Tenant is a tenant of a table.
type Tenant struct {
	ID     string
	Schema *core.Schema
	Own    *exec.Config // of the tenant's handle
	Whole  *exec.Config // of the table; nil: a scan is not allowed
}

// Options are the options of a removal and of a check.
type Options struct {
	Concurrency int     // requests at the same time; below 1: defaultConcurrency
	Units       float64 // a budget in read and write units; 0: none
	Progress    func(trestle.RemovalReport)
	ByScan      bool
}

// Problems returns why the items of the tenant cannot be found, or nil.
func (t Tenant) Problems(o Options) error {
	var wrong errs.Problems
	switch {
	case o.ByScan && t.Whole == nil:
		wrong.Add("", "a scan reads the items of all tenants, and the handle is that of one", "call it on the table that Schema.Open returned")
	case o.ByScan:
	case t.Schema.TenantIndex != nil && t.Whole == nil:
		wrong.Add("", "the handle of a tenant cannot tell whether the tenant index is complete", "call it on the table that Schema.Open returned")
	case t.Schema.TenantIndex == nil:
		if p := t.unfound(); p != nil {
			wrong.Add("", "the items of "+p.Name+" are in no partition that follows from the tenant", "set TenantIndex of the configuration, or use RemoveByScan")
		}
		if !t.Schema.TypesOnly {
			wrong.Add("", "the counters, locks and chunks of documents of the tenant are found only by a tenant index or a scan",
				"set TenantIndex of the configuration; or set it to None if the tenants have none; or use RemoveByScan")
		}
	}
	return wrong.Err()
}

// Remove deletes the items. It returns what it deleted, also with an error.
func (t Tenant) Remove(ctx context.Context, o Options) (trestle.RemovalReport, error) {
	r := newRun(t, RemoveName, o)
	err := r.start(ctx)
	if err == nil {
		err = r.wrap(r.remove(ctx))
	}
	if err == nil && r.kept != nil {
		err = r.kept
	}
	return r.soFar(), err
}

// run is a running removal or check.
type run struct {
	Tenant
	Options
	name string
	all  []partition // of the tenant

	mu     sync.Mutex
	report trestle.RemovalReport
	kept   *trestle.OpError // of the first item that is kept; nil: none is
}

func newRun(t Tenant, name string, o Options) *run {
	if o.Concurrency < 1 {
		o.Concurrency = defaultConcurrency
	}
	o.Concurrency = min(o.Concurrency, maxConcurrency)
	return &run{Tenant: t, Options: o, name: name, report: trestle.RemovalReport{ByType: map[string]int{}}}
}

// start reports why nothing can be sent.
func (r *run) start(ctx context.Context) error {
	err := r.Problems(r.Options)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		return nil
	}
	return r.refuse(err)
}

// refuse returns the error of an operation that sends nothing.
func (r *run) refuse(err error) error {
	e := &trestle.OpError{Op: r.name, Table: r.Own.Table, Outcome: r.outcome(), Err: err}
	if v := (*errs.ValidationError)(nil); errors.As(err, &v) {
		e.Kind = errs.Invalid
	}
	return e
}

// outcome returns that of an operation that has written nothing.
func (r *run) outcome() trestle.Outcome {
	if r.name == CheckName {
		return trestle.NoWrite
	}
	return trestle.NotApplied
}

// remove deletes the items.
func (r *run) remove(ctx context.Context) error {
	if r.ByScan {
		return r.scan(ctx, func(ctx context.Context, items []op.Item) error {
			_, err := r.delete(ctx, items, true, 1)
			return err
		})
	}
	return r.eachPartition(ctx, r.empty)
}

// eachPartition calls f for the partitions of the tenant. It fails if the tenant index is not
// complete.
func (r *run) eachPartition(ctx context.Context, f func(context.Context, partition) error) error {
	if r.Schema.TenantIndex != nil {
		complete, err := table.Table{Config: r.Whole, Schema: r.Schema}.IsComplete(ctx, r.name)
		if err == nil && !complete {
			err = r.refuse(errIncomplete)
		}
		if err != nil {
			return err
		}
	}
	var err error
	if r.all, err = r.partitions(); err != nil {
		return err
	}
	for _, p := range r.all {
		if err := f(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

var errIncomplete = errs.New("", "nothing says that all items of tenants are on the tenant index", "deploy all writers with TenantIndex, and then call Reindex of package maintain without types; or use RemoveByScan")

// findsGuards reports whether the run finds guards themselves, and not only by their items.
func (r *run) findsGuards() bool { return r.ByScan || r.Schema.TenantIndex != nil }

// wrap returns the error of a request, or that of an ended context as one of the operation.
func (r *run) wrap(err error) error {
	var e *trestle.OpError
	if err == nil || errors.As(err, &e) {
		return err
	}
	return r.fail(err)
}

// fail returns an error of the operation.
func (r *run) fail(err error) error {
	return &trestle.OpError{Op: r.name, Table: r.Own.Table, Outcome: r.outcome(), Err: err}
}

// soFar returns a copy of the report.
func (r *run) soFar() (report trestle.RemovalReport) {
	r.locked(func() {
		report = r.report
		report.ByType = maps.Clone(report.ByType)
	})
	return report
}

// progressed reports the progress. The error is that of a budget that is used up.
func (r *run) progressed() error {
	now := r.soFar()
	if r.Progress != nil {
		r.locked(func() { r.Progress(now) })
	}
	if c := now.Capacity; r.Units > 0 && c.Read+c.Write >= r.Units {
		return &trestle.OpError{Op: r.name, Table: r.Own.Table, Outcome: r.outcome(), Kind: errs.Budget}
	}
	return nil
}

func (r *run) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// parallel calls f for each value, at most limit times at the same time. It returns the first
// error, after which it calls f no more.
func parallel[E any](ctx context.Context, limit int, values []E, f func(context.Context, E) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan E, len(values))
	for _, v := range values {
		next <- v
	}
	close(next)
	var workers sync.WaitGroup
	for range min(limit, len(values)) {
		workers.Go(func() {
			for v := range next {
				if ctx.Err() != nil {
					return
				}
				if err := f(ctx, v); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
