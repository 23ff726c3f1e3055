package table

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// GuardOptions are the options of CheckGuards and RepairGuards.
type GuardOptions struct {
	ScanOptions
	Progress func(trestle.GuardReport) // may be nil
}

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
	scanRun
	progress func(trestle.GuardReport)
	repairs  bool
	found    guardProblems
	report   trestle.GuardReport // without Left and Capacity
}

func newGuardRun(t Table, name string, o GuardOptions) *guardRun {
	return &guardRun{scanRun: newScanRun(t, name, o.ScanOptions), progress: o.Progress, found: newGuardProblems(t.Schema)}
}

// scan reads the whole table, and checks the guards of items, the items of guards, or both.
func (r *guardRun) scan(ctx context.Context, items, guards bool) error {
	if r.Schema.Partition.Type == keys.N {
		return nil // no type can have unique values
	}
	sink := guardPageSink{schema: r.Schema, items: items, guards: guards}
	return r.scanRun.scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		if err := r.page(ctx, &sink); err != nil {
			return false, err
		}
		if r.progress != nil {
			r.progress(r.current())
		}
		return r.repairs || !r.found.full(), nil
	})
}

// current returns the report so far.
func (r *guardRun) current() (report trestle.GuardReport) {
	r.locked(func() { report = r.report })
	report.Left, report.Capacity = r.found.count(), r.spent()
	return report
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
	r.locked(func() {
		r.report.Items += len(items)
		r.report.Guards += len(guards)
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
	keys := make([]op.Item, len(checks))
	for i, c := range checks {
		keys[i] = c.Key
	}
	return r.get(ctx, keys, func(i int, row core.Row) { checks[i].Guard = row.Item() })
}

// readOwners reads the item that each guard names, unless the check has it.
func (r *guardRun) readOwners(ctx context.Context, checks []*guardCheck) error {
	var keys []op.Item
	var of []*guardCheck
	for _, c := range checks {
		if c.setOwner(); c.Owner.Key != nil && c.Owner.Item == nil && !c.Same() {
			keys, of = append(keys, c.Owner.Key), append(of, c)
		}
	}
	return r.get(ctx, keys, func(i int, row core.Row) { of[i].Owner.Item = row.Item() })
}
