package maintain

import (
	"context"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
	"github.com/trestledb/trestle/keys"
)

// RepairGuards reads the whole table and compares the items with the guards of their unique values
// (see entity.Unique). It creates missing guards, corrects those that name another item or have
// another time to live, and deletes those without an item. The error lists what it could not
// repair: items with the same value, and items that cannot be checked. Without an error, all guards
// are right. It skips guards of types that the schema does not have.
//
// The dry run lists all problems, also those that a repair corrects. It ends after the page with
// which it has found 1,000 problems. If several items without a guard have the same value, it lists
// the first one as an item without a guard.
//
// Use it to add a unique value to a type that has stored items, or to change its name or its
// template: first deploy all writers with the new schema, then repair. Until then, writers find no
// guards of values that were stored before, so two items can get the same value; RepairGuards
// reports them. Use it also after other programs have written or deleted items. It changes no index
// key and moves no item: for those, see [Reindex].
//
// RepairGuards can run beside writers. The dry run confirms each problem with a transaction that
// reads the guard and its items at one moment. Each repair is a transaction that is conditional on
// the guard and its items being as they were read. If another writer changed them, they are read
// again, up to eight times. Items that have expired are no problem, nor are their guards, nor what
// ends within a minute because an item expires: the clock of the program that took over an expired
// value may be ahead by that much.
//
// It reads strongly consistent, the table twice, and in a dry run once. Its cost in read units is
// one per 4 KB of what it reads of the table, one per guard, and one per 4 KB of the item for each
// of its guards. A repair costs two write units per KB of the guard, and as much for each item that
// it checks. It needs the permissions of a scan, a batch read and a get, and of transactions for a
// repair. The observer is notified of operations with the name "repair guards" or "check guards".
// The outcome of an error is that of its request only: earlier repairs were applied.
func RepairGuards(ctx context.Context, t *entity.Table, run Run) (Report, error) {
	name := repairGuardsName
	if run.DryRun {
		name = checkGuardsName
	}
	k, err := run.newTask(t, name, 0)
	if err != nil {
		return Report{}, err
	}
	r := &guardTask{task: k, holders: map[string]op.Item{}, unowned: map[string]int{}}
	return k.do(ctx, 2, nil, r.run)
}

// guardTask is a running check or repair.
type guardTask struct {
	*task
	// holders has an item with the value of each guard that is missing or names another item, and
	// unowned the guards without an item, as indexes of the problems.
	holders map[string]op.Item
	unowned map[string]int
}

// run repairs the guards of all items, and then deletes the guards without an item. The order
// matters: an item has its own guard before another guard of its value is deleted. A dry run does
// both in one scan.
func (r *guardTask) run(ctx context.Context) error {
	if r.Schema.Partition.Type == keys.N {
		return nil // no type can have unique values
	}
	if r.options.DryRun {
		return r.scan(ctx, true, true)
	}
	if r.Stage() == 0 {
		if err := r.scan(ctx, true, false); err != nil {
			return err
		}
		if err := r.NextStage(); err != nil {
			return err
		}
	}
	return r.scan(ctx, false, true)
}

// scan reads the whole table, and checks the guards of items, the items of guards, or both.
func (r *guardTask) scan(ctx context.Context, items, guards bool) error {
	var page guardPage
	var sink scan.Sink
	if items {
		sink.Item = func(p *core.Plan, row core.Row) {
			if len(p.Uniques) > 0 {
				page.items = append(page.items, storedItem{p, write.Stored{Key: r.Schema.KeyOf(row), Item: row.Item()}})
			}
		}
	}
	if guards {
		sink.Library = func(row core.Row) {
			if p, u := write.GuardOf(r.Schema, row.Item()); p != nil {
				page.guards = append(page.guards, write.GuardCheck{Plan: p, Unique: u, Key: r.Schema.KeyOf(row), Guard: row.Item()})
			}
		}
	}
	return r.Scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		full := page
		page = guardPage{}
		if err := r.page(ctx, full); err != nil {
			return false, err
		}
		if r.options.DryRun {
			r.predict()
		}
		return !r.options.DryRun || !r.problems.full(), nil
	})
}

// predict counts what a run would repair.
func (r *guardTask) predict() {
	created, corrected, deleted := r.problems.ofKinds(GuardMissing), r.problems.ofKinds(GuardOfOther, GuardExpiry), r.problems.ofKinds(GuardUnowned)
	r.Locked(func() { r.report.Created, r.report.Corrected, r.report.Deleted = created, corrected, deleted })
}

// guardPage has the items and the guards of a page.
type guardPage struct {
	items  []storedItem
	guards []write.GuardCheck // without their items
}

// storedItem is an item of a type.
type storedItem struct {
	plan *core.Plan
	write.Stored
}

// page checks a page of a scan.
func (r *guardTask) page(ctx context.Context, page guardPage) error {
	checks := make([]*guardCheck, 0, len(page.items)+len(page.guards))
	for _, i := range page.items {
		r.counts(i.plan.Name)
		checks = append(checks, r.checksOf(i)...)
	}
	r.Locked(func() { r.report.Guards += len(page.guards) })
	if err := r.readGuards(ctx, checks); err != nil {
		return err
	}
	for _, g := range page.guards {
		checks = append(checks, &guardCheck{GuardCheck: g, orphan: true})
	}
	if err := r.readOwners(ctx, checks); err != nil {
		return err
	}
	return r.settle(ctx, checks)
}

// checksOf returns a check of each guard that an item should have.
func (r *guardTask) checksOf(i storedItem) (list []*guardCheck) {
	guards, err := write.StoredGuards(i.plan, i.Item)
	if err != nil {
		kind := NoKey // a value is too long
		if guards == nil {
			kind = Undecodable
		}
		r.problems.add(Problem{Kind: kind, Entity: i.plan.Name, Item: i.Key, Err: err})
	}
	for n, key := range guards {
		if key != nil {
			list = append(list, &guardCheck{GuardCheck: write.GuardCheck{Plan: i.plan, Unique: i.plan.Uniques[n], Key: key, Holder: i.Stored}})
		}
	}
	return list
}

// readGuards reads the guard of each check.
func (r *guardTask) readGuards(ctx context.Context, checks []*guardCheck) error {
	keys := make([]op.Item, len(checks))
	for i, c := range checks {
		keys[i] = c.Key
	}
	return r.Get(ctx, keys, func(i int, row core.Row) { checks[i].Guard = row.Item() })
}

// readOwners reads the item that each guard names, unless the check has it.
func (r *guardTask) readOwners(ctx context.Context, checks []*guardCheck) error {
	var keys []op.Item
	var of []*guardCheck
	for _, c := range checks {
		if c.setOwner(); c.Owner.Key != nil && c.Owner.Item == nil && !c.Same() {
			keys, of = append(keys, c.Owner.Key), append(of, c)
		}
	}
	return r.Get(ctx, keys, func(i int, row core.Row) { of[i].Owner.Item = row.Item() })
}

// addOf adds a problem of the guard with a key. Two items that lack the guard of one value have the
// same value. A guard that names another item is reported once: with the item that has the value,
// if there is one.
func (r *guardTask) addOf(p Problem, guard op.Item) {
	l := &r.problems
	id := l.id(guard)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch p.Kind {
	case GuardMissing, GuardOfOther:
		if holder := r.holders[id]; holder != nil {
			p.Kind, p.Other = ValueTwice, holder
			break
		}
		r.holders[id] = p.Item
		if i, found := r.unowned[id]; found {
			l.byKind[GuardUnowned]--
			l.byKind[p.Kind]++
			if i < len(l.list) {
				l.list[i] = p
			}
			return
		}
	case GuardUnowned:
		if r.holders[id] != nil {
			return
		}
		r.unowned[id] = len(l.list)
	default:
	}
	l.append(p)
}
