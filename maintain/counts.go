package maintain

import (
	"context"
	"maps"
	"slices"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// maxScans is how often the whole table is read again, if writers change counting items meanwhile.
const maxScans = 3

// errNoVersion is the reason why a wrong count is not repaired.
var errNoVersion = errs.New("", "the type has no version, so a writer at the same time would not be noticed",
	"stop all writers and set NoOtherWriters of maintain.Run, or give the type a version")

// RepairCounts reads the whole table and sets counts to the number of the items that are counted
// (see entity.Counted). The error lists the counts that are wrong and that it could not repair,
// those whose counting item was written each time, and counted items that cannot be decoded: the
// counts of their type are not checked. The dry run lists all wrong counts.
//
// It is for counts that are wrong anywhere in the table; query.Recount corrects a count of one
// item. Use it to add a count to a type that has stored items, or to change its key: first deploy
// all writers with the new schema, then repair. Use it also after other programs have written or
// deleted items.
//
// A count that seems wrong is confirmed: the items are counted again, and the counting item must
// still have the version that it had before. Each write that creates or deletes a counted item
// increments that version. If all counted items are in the partition of the counting item, that
// item collection is read again, up to eight times; otherwise the whole table, up to three times,
// for all such counts together. Without a version, the dry run compares the counts only. It may
// then list a right count if one item was created and another one deleted meanwhile. It is also
// possible that a wrong count is missed that is written during the scan. The next run finds it.
//
// RepairCounts can run beside writers that create, change and delete items, or move them to another
// counting item. A repair is conditional on the version that the counting item had before the items
// were counted, so each such write makes it fail, and the items are counted again. A condition on
// the count would not be enough, because one create and one delete leave it the same. For that
// reason, RepairCounts repairs a type without a version only with NoOtherWriters of [Run].
//
// A transaction that creates and deletes as many items of one counting item, such as a move to
// another key, does not write the counting item. Stop writers with such transactions during the
// repair. Otherwise, an item that is moved during both the scan and the second count may be missed
// or counted twice. The next repair corrects that.
//
// Counts are known only at the end of the table. So there are no tokens: a run that ended early
// starts again, and repeats no repair.
//
// It reads strongly consistent. Its cost in read units is one per 4 KB of the table, and as much
// for what it reads again, and one write unit per KB for each counting item that it corrects. It
// keeps the key and the counts of each counting item in memory. A correction increments the
// version, but does not set the time of update. It needs the permissions of a scan, a query and a
// batch read, and of updates for a repair. The observer is notified of operations with the name
// "repair counts" or "check counts".
func RepairCounts(ctx context.Context, t *entity.Table, run Run) (Report, error) {
	name := repairCountsName
	if run.DryRun {
		name = checkCountsName
	}
	k, err := run.newTask(t, name, 0)
	if err != nil {
		return Report{}, err
	}
	r := &countTask{task: k, undecodable: map[string]bool{}, unchecked: map[*codec.Field]bool{}}
	return k.do(ctx, 0, nil, r.run)
}

// countTask is a running check or repair.
type countTask struct {
	*task
	undecodable map[string]bool       // by the identity of the item's key
	unchecked   map[*codec.Field]bool // the counts of types with items that cannot be decoded
}

// run counts all items, and again those of counting items whose counts seem wrong.
func (r *countTask) run(ctx context.Context) error {
	all := &countSink{task: r, checks: map[string]*write.CountCheck{}}
	if err := r.countAll(ctx, all); err != nil {
		return err
	}
	near, far := r.suspects(all)
	err := r.Parallel(ctx, len(near), func(ctx context.Context, i int) error {
		c := near[i]
		return r.settle(ctx, []*write.CountCheck{c}, maxTries, func(ctx context.Context, s *countSink) error { return r.readCollection(ctx, c, s) })
	})
	if err != nil {
		return err
	}
	return r.settle(ctx, far, maxScans, r.countAll)
}

// suspects returns the counting items with counts that seem wrong: those whose items are all in the
// same item collection, and the others.
func (r *countTask) suspects(all *countSink) (near, far []*write.CountCheck) {
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
func (r *countTask) wrong(c *write.CountCheck) (list []*codec.Field) {
	for _, f := range c.Wrong() {
		var skip bool
		if r.Locked(func() { skip = r.unchecked[f] }); !skip {
			list = append(list, f)
		}
	}
	return list
}

// countAll counts the items of the whole table.
func (r *countTask) countAll(ctx context.Context, s *countSink) error {
	return r.Scan(ctx, s.sink(), func(context.Context) (bool, error) { return true, nil })
}

// readCollection counts the items in the partition of a counting item.
func (r *countTask) readCollection(ctx context.Context, c *write.CountCheck, s *countSink) error {
	query := read.Query{Schema: r.Schema, Strong: true, Segments: r.Concurrency}
	at := c.Plan.NewEntity()
	if err := c.Plan.Decode(c.Stored.Item, at); err == nil { // otherwise, the partition key cannot be rendered
		query = read.Query{Schema: r.Schema, Plan: c.Plan, Example: at, Collection: true, Strong: true}
	}
	return r.Read(ctx, query, s.sink(), func(context.Context) error { return nil })
}

// settle counts the items of some counting items again, and reports or repairs the counts that are
// wrong. It counts them once more if the counting item has changed since it was last read: a
// counted item was created or deleted meanwhile, and may have been missed or counted wrongly.
func (r *countTask) settle(ctx context.Context, checks []*write.CountCheck, tries int, count func(context.Context, *countSink) error) error {
	for try := 1; len(checks) > 0; try++ {
		if try > tries {
			for _, c := range checks {
				r.add(c, Changing, nil)
			}
			return nil
		}
		err := r.WithinBudget()
		if err == nil && try > 1 {
			err = r.Pause(ctx, try)
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
func (r *countTask) recount(ctx context.Context, checks []*write.CountCheck, count func(context.Context, *countSink) error) (changed []*write.CountCheck, err error) {
	s := &countSink{task: r, only: true, checks: map[string]*write.CountCheck{}}
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
func (r *countTask) dead(p *core.Plan, row core.Row) bool {
	return core.ExpiryOf(p, r.Config.Now).Dead(p, row)
}

// countingItems reads the counting items again. An item is nil if it does not exist any more, or
// has expired.
func (r *countTask) countingItems(ctx context.Context, checks []*write.CountCheck) ([]op.Item, error) {
	keys, items := make([]op.Item, len(checks)), make([]op.Item, len(checks))
	for i, c := range checks {
		keys[i] = c.Stored.Key
	}
	err := r.Get(ctx, keys, func(i int, row core.Row) {
		if p := checks[i].Plan; p.Owns(row) && !r.dead(p, row) {
			items[i] = row.Item()
		}
	})
	return items, err
}

// resolve reports or repairs the wrong counts of an item. It returns false if the item has changed.
func (r *countTask) resolve(ctx context.Context, c *write.CountCheck) (done bool, err error) {
	wrong := r.wrong(c)
	switch {
	case len(wrong) == 0:
		return true, nil
	case c.Plan.Version == nil && !r.options.NoOtherWriters:
		r.add(c, CountWrong, errNoVersion)
		return true, nil
	case r.options.DryRun:
		r.add(c, CountWrong, nil)
		r.Locked(func() { r.report.Corrected++ })
		return true, nil
	}
	a, err := c.Correct(wrong)
	if err != nil {
		return false, r.Fail(trestle.NotApplied, err)
	}
	err = r.Do(ctx, c.Plan, []op.Action{a}, func(op.Reply) {})
	switch {
	case err == nil:
		r.Locked(func() { r.report.Corrected++ })
		return true, nil
	case scan.Temporary(err):
		return false, nil
	default:
		return false, err
	}
}

// add adds a problem of each wrong count of an item.
func (r *countTask) add(c *write.CountCheck, kind Kind, err error) {
	for _, f := range r.wrong(c) {
		stored, _ := c.Count(f)
		r.problems.add(Problem{Kind: kind, Entity: c.Plan.Name, Name: f.Name, Item: c.Stored.Key, Stored: stored, Items: c.Items[f], Err: err})
	}
}

// addUndecodable adds an item that cannot be decoded, once. The counts of its type cannot be
// checked.
func (r *countTask) addUndecodable(p *core.Plan, row core.Row, err error) {
	key, known := r.Schema.KeyOf(row), false
	r.Locked(func() {
		for _, c := range p.Counted {
			r.unchecked[c.Field] = true
		}
		id := r.problems.id(key)
		known = r.undecodable[id]
		r.undecodable[id] = true
	})
	if !known {
		r.problems.add(Problem{Kind: Undecodable, Entity: p.Name, Item: key, Err: err})
	}
}
