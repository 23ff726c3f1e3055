package maintain

import (
	"context"
	"slices"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
	"github.com/trestledb/trestle/internal/write"
)

// Reindex renders the keys of all stored items of some types again, and changes those that differ.
// The types are those of package entity, such as Employees; without any, they are all types of the
// schema. One scan does all of them:
//
//   - It sets, changes and removes index keys, and sets a missing type attribute. If a type is not
//     in an index, and another type has a field as a key attribute there, it keeps that attribute.
//   - It claims the guards of unique values that have none (see entity.Unique).
//   - It moves an item that is under the key of an older template to its key, with its guards, in
//     one transaction.
//   - Without types, it also writes the keys of the tenant index on the library's own items of
//     tenants. If it then has read the whole table, without a problem in any of its runs, it stores
//     that the index is complete, which [RemoveTenant] needs.
//
// Use it after an index or a unique value was added to a type that has stored items, after a
// template has changed, and, without types, after TenantIndex of [trestle.Config] was named. For a
// new index, first create it: the error of [Check] has the request. Then deploy all writers with
// the new schema, then reindex, and query the index only after that. Writers with an older schema
// write index keys of the older templates again.
//
// The error lists what it could not change. A dry run counts what a run would change, and lists the
// same. Apart from other writers, a run differs only in these cases: an item has the new key or a
// value of another one, but the run would move or change it first; or a key or value that two items
// would get is after the first million of new keys and values, or in two runs of which one
// continues the other.
//
// Reindex can run beside writers. Each write is conditional on the attributes that it was derived
// from being as they were read, and a move on all attributes. If another writer changed the item,
// it is read again. Reindex changes no version and no time of an update, because it changes no
// field: a write that checks the version succeeds after it. It changes no counts. A counting item
// that moves keeps its counts; the items that it counts must find it by its new key. A run that
// starts again from the beginning repeats nothing that was changed.
//
// An expired item counts as none, as for writes: it does not move and claims no guard, and a move
// replaces one that has the new key. Its index keys are changed. If it cannot be decoded, that is
// no problem. In a table that was opened with entity.ShowExpired, it is an item as any other.
//
// Reindex only claims guards that are missing. [RepairGuards] also corrects and deletes guards, of
// all types, and changes no index key. For a unique value that was added, either is enough. After
// the name or the template of a unique value has changed, Reindex claims the new guards and leaves
// the old ones, while RepairGuards creates and deletes them. Use RepairGuards also after other
// programs have written or deleted items. Use Reindex for index keys and moves.
//
// An item of an older template that has no type attribute is not found, because its key does not
// show its type.
//
// Reindex reads the whole table strongly consistent: one read unit per 4 KB of the table, and one
// per 4 KB of each guard of the types; a dry run also reads the item under each new key. An update
// costs one write unit per KB of the item, and those of its index entries: new key attributes
// change the entries of all indexes that project all attributes. With guards, and for a move, it is
// a transaction, which costs twice as much; a move writes the old and the new item. For example, a
// new index of 10,000 stored items of at most 1 KB costs 20,000 write units, one for each item and
// one for its entry, and at most 2,500 read units: 225 seconds at a Rate of 100. The observer is
// notified of operations with the name "reindex". The permissions are those of a scan, a batch
// read, updates and transactions.
func Reindex(ctx context.Context, t *entity.Table, run Run, types ...interface{ Name() string }) (Report, error) {
	k, err := run.newTask(t, reindexName, 0)
	if err != nil {
		return Report{}, err
	}
	r := &reindexTask{task: k, shown: hooks.TableOf(t).Expired}
	if err := r.choose(types); err != nil {
		return Report{}, k.Fail(k.Outcome, err)
	}
	return k.do(ctx, 1, r.bind, r.run)
}

// reindexTask is a running reindex.
type reindexTask struct {
	*task
	types []*core.Plan // in the order of the schema
	shown bool         // expired items exist; otherwise, they count as none
	given given
	whole bool      // all types and the library's items are reindexed, and there is a tenant index
	own   []op.Item // the keys of the library's items of a page that are not in the tenant index
}

// choose sets the types.
func (r *reindexTask) choose(types []interface{ Name() string }) error {
	if len(types) == 0 {
		r.types, r.whole = r.Schema.Plans, r.Schema.TenantIndex != nil
		return nil
	}
	var wrong errs.Problems
	chosen := map[*core.Plan]bool{}
	for _, of := range types {
		p := hooks.PlanOf(of)
		if p == nil || p.Schema != r.Schema {
			wrong.Add("", "a type is not one of the table's schema", "give types that were defined in it, or none for all types")
		}
		chosen[p] = true
	}
	for _, p := range r.Schema.Plans {
		if chosen[p] {
			r.types = append(r.types, p)
		}
	}
	return wrong.Err()
}

// bind binds tokens to the types and their keys.
func (r *reindexTask) bind(b cursor.Binding) {
	b.Text(r.Schema.TenantIndexForm())
	b.Flag(r.whole)
	for _, p := range r.types {
		b.Text(p.Name)
		b.Texts(p.Table.Signature(r.Schema))
		for _, x := range p.Indexes {
			b.Texts(x.Key.Signature(r.Schema))
		}
	}
}

// run reads all items of the table, and changes those of the types.
func (r *reindexTask) run(ctx context.Context) error {
	var page []storedItem
	sink := scan.Sink{Item: func(p *core.Plan, row core.Row) {
		if slices.Contains(r.types, p) {
			page = append(page, storedItem{p, write.Stored{Key: r.Schema.KeyOf(row), Item: row.Item()}})
		}
	}}
	if r.whole {
		sink.Library = r.ownItem
	}
	err := r.Scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		items, own := page, r.own
		page, r.own = nil, nil
		if err := r.page(ctx, items); err != nil {
			return false, err
		}
		return true, r.indexOwn(ctx, own)
	})
	if err != nil {
		return err
	}
	return r.complete(ctx)
}

// page changes the items of a page.
func (r *reindexTask) page(ctx context.Context, items []storedItem) error {
	list := make([]*reindexed, 0, len(items))
	for _, stored := range items {
		r.counts(stored.plan.Name)
		i := &reindexed{task: r, storedItem: stored}
		if i.compare() {
			list = append(list, i)
		}
	}
	if err := r.readGuards(ctx, list); err != nil {
		return err
	}
	if r.options.DryRun {
		if err := r.readTargets(ctx, list); err != nil {
			return err
		}
	}
	return r.Parallel(ctx, len(list), func(ctx context.Context, n int) error { return list[n].settle(ctx) })
}

// readGuards reads the guards of items, in batches.
func (r *reindexTask) readGuards(ctx context.Context, list []*reindexed) error {
	var keys []op.Item
	var targets []*op.Item
	for _, i := range list {
		for n, key := range i.next.Guards() {
			if key != nil {
				keys, targets = append(keys, key), append(targets, &i.guards[n])
			}
		}
	}
	return r.Get(ctx, keys, func(n int, row core.Row) { *targets[n] = row.Item() })
}

// readTargets reads the items under the new keys of items that move, in batches.
func (r *reindexTask) readTargets(ctx context.Context, list []*reindexed) error {
	var keys []op.Item
	var targets []*op.Item
	for _, i := range list {
		if i.next.Moves() {
			keys, targets = append(keys, i.next.To()), append(targets, &i.target)
		}
	}
	return r.Get(ctx, keys, func(n int, row core.Row) { *targets[n] = row.Item() })
}
