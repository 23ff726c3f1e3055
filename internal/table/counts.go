package table

import (
	"context"
	"maps"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/write"
)

// CountOptions are the options of CheckCounts and RepairCounts.
type CountOptions struct {
	ScanOptions
	Progress       func(trestle.CountReport) // may be nil
	NoOtherWriters bool                      // counts of types without a version may be repaired
}

// maxScans is how often the whole table is read again, if writers change counting items meanwhile.
const maxScans = 3

// errNoVersion is the reason why a wrong count is not repaired.
var errNoVersion = errs.New("", "the type has no version, so a writer at the same time would not be noticed",
	"stop all writers and use entity.NoOtherWriters, or give the type a version")

// CheckCounts compares the counts of all items with the numbers of the counted items. It returns a
// *trestle.CountError for problems.
func (t Table) CheckCounts(ctx context.Context, o CountOptions) error {
	_, err := newCountRun(t, CheckCountsName, o, false).run(ctx)
	return err
}

// RepairCounts corrects the counts. It returns a *trestle.CountError for the problems that remain.
func (t Table) RepairCounts(ctx context.Context, o CountOptions) (trestle.CountReport, error) {
	return newCountRun(t, RepairCountsName, o, true).run(ctx)
}

// countRun is a running check or repair.
type countRun struct {
	scanRun
	progress       func(trestle.CountReport)
	repairs        bool
	noOtherWriters bool
	found          countProblems
	report         trestle.CountReport   // without Left and Capacity
	unchecked      map[*codec.Field]bool // the counts of types with items that cannot be decoded
}

func newCountRun(t Table, name string, o CountOptions, repairs bool) *countRun {
	return &countRun{
		scanRun: newScanRun(t, name, o.ScanOptions), progress: o.Progress, repairs: repairs, noOtherWriters: o.NoOtherWriters,
		found: countProblems{schema: t.Schema, undecodable: map[string]bool{}}, unchecked: map[*codec.Field]bool{},
	}
}

// run counts all items, and again those of counting items whose counts seem wrong.
func (r *countRun) run(ctx context.Context) (trestle.CountReport, error) {
	all := &countSink{run: r, checks: map[string]*write.CountCheck{}}
	err := r.scanAll(ctx, all)
	if err == nil {
		near, far := r.suspects(all)
		err = parallel(ctx, r.Concurrency, len(near), func(ctx context.Context, i int) error {
			c := near[i]
			return r.settle(ctx, []*write.CountCheck{c}, maxTries, func(ctx context.Context, s *countSink) error { return r.readCollection(ctx, c, s) })
		})
		if err == nil {
			err = r.settle(ctx, far, maxScans, r.scanAll)
		}
	}
	if err == nil {
		err = r.found.err(r.Table)
	}
	return r.current(), err
}

// current returns the report so far.
func (r *countRun) current() (report trestle.CountReport) {
	r.locked(func() { report = r.report })
	report.Left, report.Capacity = r.found.count(), r.spent()
	return report
}

// suspects returns the counting items with counts that seem wrong: those whose items are all in the
// same item collection, and the others.
func (r *countRun) suspects(all *countSink) (near, far []*write.CountCheck) {
	isNear := map[*core.Plan]bool{}
	for _, p := range r.Schema.Plans {
		isNear[p] = countsNear(r.Schema, p)
	}
	for _, item := range slices.Sorted(maps.Keys(all.checks)) { // an order that a test can repeat
		c := all.checks[item]
		switch {
		case c.Stored.Item == nil || len(r.wrong(c)) == 0:
		case isNear[c.Plan]:
			near = append(near, c)
		default:
			far = append(far, c)
		}
	}
	return near, far
}

// countsNear reports whether all items that a type counts are in the partition of the counting
// item.
func countsNear(s *core.Schema, parent *core.Plan) bool {
	for _, p := range s.Plans {
		for _, c := range p.Counted {
			for i, a := range c.Key.Partition {
				if c.Parent == parent && a.Template.String() != p.Table.Partition[i].Template.String() {
					return false
				}
			}
		}
	}
	return true
}

// wrong returns the counts of an item that are wrong, except those that cannot be checked.
func (r *countRun) wrong(c *write.CountCheck) (list []*codec.Field) {
	for _, f := range c.Wrong() {
		var skip bool
		if r.locked(func() { skip = r.unchecked[f] }); !skip {
			list = append(list, f)
		}
	}
	return list
}

// scanAll counts the items of the whole table.
func (r *countRun) scanAll(ctx context.Context, s *countSink) error {
	return r.scan(ctx, s, func(context.Context) (bool, error) {
		if !s.only {
			r.locked(func() { r.report.Items, r.report.Counting = s.items, s.counting })
		}
		if r.progress != nil {
			r.progress(r.current())
		}
		return true, nil
	})
}

// readCollection counts the items in the partition of a counting item.
func (r *countRun) readCollection(ctx context.Context, c *write.CountCheck, s *countSink) error {
	at := c.Plan.NewEntity()
	if err := c.Plan.Decode(c.Stored.Item, at); err != nil {
		return r.scanAll(ctx, s) // the partition key cannot be rendered
	}
	query := read.Query{Schema: r.Schema, Plan: c.Plan, Example: at, Collection: true, Strong: true}
	return r.read(ctx, query, s, func(context.Context, trestle.Capacity) (bool, error) { return true, nil })
}

// settle counts the items of some counting items again, and reports or repairs the counts that are
// wrong. It counts them once more if the counting item has changed since it was last read: a
// counted item was created or deleted meanwhile, and may have been missed or counted wrongly.
func (r *countRun) settle(ctx context.Context, checks []*write.CountCheck, tries int, count func(context.Context, *countSink) error) error {
	for try := 1; len(checks) > 0; try++ {
		if try > tries {
			for _, c := range checks {
				r.add(c, trestle.CountChanging, nil)
			}
			return nil
		}
		err := r.withinBudget()
		if err == nil && try > 1 {
			err = r.pause(ctx, try)
		}
		if err == nil {
			checks, err = r.recount(ctx, checks, count)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recount counts the items of some counting items, and then reads the counting items again. It
// returns those that have changed.
func (r *countRun) recount(ctx context.Context, checks []*write.CountCheck, count func(context.Context, *countSink) error) (changed []*write.CountCheck, err error) {
	s := &countSink{run: r, only: true, checks: map[string]*write.CountCheck{}}
	for _, c := range checks {
		c.Items = map[*codec.Field]int64{}
		s.checks[s.id(c.Stored.Key)] = c
	}
	if err := count(ctx, s); err != nil {
		return nil, err
	}
	stored, err := r.countingItems(ctx, checks)
	if err != nil {
		return nil, err
	}
	for i, c := range checks {
		done := stored[i] == nil // it was deleted
		if !done && c.UnchangedIn(stored[i]) {
			if done, err = r.resolve(ctx, c); err != nil {
				return nil, err
			}
		}
		if c.Stored.Item = stored[i]; !done {
			changed = append(changed, c)
		}
	}
	return changed, nil
}

// dead reports whether a counting item has expired now: writes do not count in it.
func (r *countRun) dead(p *core.Plan, row core.Row) bool {
	return core.ExpiryOf(p, r.Config.Now).Dead(p, row)
}

// countingItems reads the counting items again. An item is nil if it does not exist any more, or
// has expired.
func (r *countRun) countingItems(ctx context.Context, checks []*write.CountCheck) ([]op.Item, error) {
	keys, items := make([]op.Item, len(checks)), make([]op.Item, len(checks))
	for i, c := range checks {
		keys[i] = c.Stored.Key
	}
	err := r.get(ctx, keys, func(i int, row core.Row) {
		if p := checks[i].Plan; p.Owns(row) && !r.dead(p, row) {
			items[i] = row.Item()
		}
	})
	return items, err
}

// resolve reports or repairs the wrong counts of an item. It returns false if the item has changed.
func (r *countRun) resolve(ctx context.Context, c *write.CountCheck) (done bool, err error) {
	wrong := r.wrong(c)
	switch {
	case len(wrong) == 0:
		return true, nil
	case !r.repairs:
		r.add(c, trestle.CountWrong, nil)
		return true, nil
	case c.Plan.Version == nil && !r.noOtherWriters:
		r.add(c, trestle.CountWrong, errNoVersion)
		return true, nil
	}
	a, err := c.Correct(wrong)
	if err != nil {
		return false, r.invalid(r.name, trestle.NotApplied, err)
	}
	err = r.do(ctx, c.Plan, []op.Action{a}, func(op.Reply) {})
	switch {
	case err == nil:
		r.locked(func() { r.report.Corrected++ })
		return true, nil
	case temporary(err):
		return false, nil
	default:
		return false, err
	}
}

// add adds a problem of each wrong count of an item.
func (r *countRun) add(c *write.CountCheck, kind trestle.CountProblemKind, err error) {
	for _, f := range r.wrong(c) {
		stored, _ := c.Count(f)
		r.found.add(trestle.CountProblem{Kind: kind, Entity: c.Plan.Name, Count: f.Name, Item: c.Stored.Key, Stored: stored, Items: c.Items[f], Err: err})
	}
}

// addUndecodable adds an item that cannot be decoded. The counts of its type cannot be checked.
func (r *countRun) addUndecodable(p *core.Plan, row core.Row, err error) {
	r.locked(func() {
		for _, c := range p.Counted {
			r.unchecked[c.Field] = true
		}
	})
	r.found.addUndecodable(trestle.CountProblem{Kind: trestle.CountUnchecked, Entity: p.Name, Item: r.Schema.KeyOf(row), Err: err})
}
