package maintain

import (
	"context"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/op"
)

// RemoveTenant deletes all items of a tenant: those of all types, the guards of their unique
// values, and the library's own, such as counters and locks. Items of other tenants are never
// deleted: each request is checked as one of the tenant's handle. The report has the items by type,
// and the guards in Deleted.
//
// First take away the tenant's access. Items that a program stores during the removal can remain,
// and so can items that were stored less than a second before it, because an index is eventually
// consistent. RemoveTenant can be repeated at any time: it deletes what is left. After an error, or
// when the context ends, call it again. A dry run deletes nothing. It lists the number of items of
// each type, as problems of the kind TenantItems, so without an error nothing is left.
//
// The items are found by the tenant index (TenantIndex of [trestle.Config]), and in the partitions
// of types that follow from the tenant. The error is [trestle.ErrInvalid] if nothing says that all
// items are on the index: see [Reindex]. Without a tenant index, it is ErrInvalid unless
// TenantIndex is None and a partition key of each type, or of an index that all its items are on,
// has no other field than the tenant and a shard. With Scan of [Run], the whole table is read
// instead. Only such a run has tokens.
//
// An item with unique values is deleted in one transaction with its guards, so another writer that
// changes the values at the same time leaves no guard. If TenantIndex is None, an item stays whose
// guards cannot be found, because its unique values, its time to live or the fields of its counts
// cannot be decoded. It is a problem of the kind Undecodable. RemoveTenant then does not find a
// guard whose item is gone either, for example because its type is not in the schema. The tenant
// index and a scan find both.
//
// Items that other programs stored without the attributes of the index, outside the partitions of
// types, are found by a scan only. An item whose field has another tenant than its key is
// [trestle.ErrTenant]; a scan deletes it.
//
// It costs one read unit per 4 KB of each item, one for each partition of types and 16 for those in
// which earlier versions stored entries, half a unit per 4 KB of entries of the tenant index, and
// one write unit per KB of each item and index entry. An item with guards costs twice as many write
// units, and two for each guard. A scan costs one read unit per 4 KB of the table, and one per 4 KB
// of the item for each guard that is found before its item. The observer is notified of operations
// with the name "remove tenant". The permissions are those of a query, a read, a batch read and a
// batch write, of a deletion, of a transaction if a type has unique values, and of a scan with
// Scan.
func RemoveTenant(ctx context.Context, t *entity.Table, tenant string, run Run) (Report, error) {
	if run.DryRun {
		return checkTenant(ctx, t, tenant, run)
	}
	k, err := run.newTenant(t, removeTenantName, tenant)
	if err != nil {
		return Report{}, err
	}
	r := &removal{k, map[string]bool{}}
	return k.do(ctx, r.handle)
}

// checkTenant lists the number of items of each type as problems.
func checkTenant(ctx context.Context, t *entity.Table, tenant string, run Run) (Report, error) {
	k, err := run.newTenant(t, checkTenantName, tenant)
	if err != nil {
		return Report{}, err
	}
	k.pending = func() (types int) { // the problems that are added at the end
		k.Locked(func() { types = len(k.report.ByType) })
		return types
	}
	k.end = func() {
		k.pending = nil
		for name, n := range k.report.ByType {
			k.problems.add(Problem{Kind: TenantItems, Entity: name, Items: int64(n)})
		}
	}
	return k.do(ctx, func(_ context.Context, items []op.Item, _ int) (bool, error) {
		k.countAll(items)
		return false, nil
	})
}

// removal deletes the items of a tenant.
type removal struct {
	*tenantTask
	kept map[string]bool // the identities of items that are kept
}

// handle deletes a page of items. They are read again until none is left, or only those that are
// kept. Most guards are deleted with their items, so the first read of an index leaves guards.
func (r *removal) handle(ctx context.Context, items []op.Item, pass int) (again bool, err error) {
	if !r.findsGuards() {
		kept, err := r.deletePage(ctx, items)
		return len(items) > kept, err
	}
	var guards, others []op.Item
	for _, item := range items {
		if r.guardOwner(item) == nil {
			others = append(others, item)
		} else if pass > 0 || r.options.Scan {
			guards = append(guards, item)
		}
	}
	err = r.Parallel(ctx, len(guards), func(ctx context.Context, i int) error {
		return r.deleteGuard(ctx, guards[i], r.guardOwner(guards[i]))
	})
	if err != nil {
		return false, err
	}
	kept, err := r.deletePage(ctx, others)
	return len(items) > kept, err
}

// findsGuards reports whether the run finds guards themselves, and not only by their items.
func (r *removal) findsGuards() bool { return r.options.Scan || r.Schema.TenantIndex != nil }
