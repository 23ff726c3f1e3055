package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/removal"
	"github.com/trestledb/trestle/internal/repo"
)

// RemovalOption is an option of [Table.RemoveTenant] and [Table.CheckTenantRemoved].
type RemovalOption interface{ removal(*removal.Options) }

type removalOption func(*removal.Options)

func (o removalOption) removal(r *removal.Options) { o(r) }

// RemovalConcurrency limits the number of requests at the same time. The default is 4, which also
// replaces an n below 1. The maximum is 100.
func RemovalConcurrency(n int) RemovalOption {
	return removalOption(func(r *removal.Options) { r.Concurrency = n })
}

// RemovalBudget ends the run with query.ErrBudget after the page with which it has consumed that
// many read and write units together. Another run begins at the first partition again, so a budget
// below the cost of reading all partitions empty is never enough.
func RemovalBudget(units float64) RemovalOption {
	return removalOption(func(r *removal.Options) { r.Units = units })
}

// RemovalProgress calls f after each page of items. The calls do not overlap, but they may come
// from several goroutines.
func RemovalProgress(f func(trestle.RemovalReport)) RemovalOption {
	return removalOption(func(r *removal.Options) { r.Progress = f })
}

// RemoveByScan finds the items by a scan of the whole table instead of by their partitions. It
// needs no recorded partitions, and also finds guards without an item. It costs one read unit per 4
// KB of the table, and one per 4 KB of the item for each guard that is found before its item. It is
// refused on the handle of a tenant.
func RemoveByScan() RemovalOption {
	return removalOption(func(r *removal.Options) { r.ByScan = true })
}

// RemoveIdle declares that no program writes items of the tenant any more: all processes that did
// have ended. [Table.RemoveTenant] then also deletes the entries that name recent partitions.
func RemoveIdle() RemovalOption {
	return removalOption(func(r *removal.Options) { r.NoOtherWriters = true })
}

// RemoveTenant deletes all items of a tenant: those of all types, the guards of their unique
// values, and the library's own, such as counters and locks. It is called on the table that
// [Schema.Open] returned, or on the handle of that tenant. Items of other tenants are never
// deleted: each request is checked as one of the tenant's handle.
//
// First take away the tenant's access. Items that a program stores during the removal can remain.
// RemoveTenant can be repeated at any time: it deletes what is left. After an error, or when the
// context ends, call it again.
//
// The items are found by their partitions. Where a partition key has more fields than the tenant
// and a shard, writes record the partitions if RecordPartitions of the [Config] is set. Without
// it, the error is [trestle.ErrInvalid], unless the option is [RemoveByScan]. The partitions of
// the library's own items are always recorded.
//
// An entry that names a partition stays for two hours after a program has written it last: programs
// rely on it for an hour, and the other hour is for clocks that differ and for requests that are
// retried or arrive late. RemovalReport.Left is the number of such entries, and Again is the time
// to call RemoveTenant again. With [RemoveIdle], no entry stays.
//
// An item with unique values is deleted in one transaction with its guards, so another writer that
// changes the values at the same time leaves no guard. An item whose guards cannot be found stays,
// with the entry that names its partition: its unique values, its time to live or the fields of its
// counts cannot be decoded. Everything else is deleted, and then the error has its key;
// RemoveByScan deletes it.
//
// RemoveTenant does not find a guard whose item is gone, for example because DynamoDB deleted only
// the item so far at the end of its time to live, or because its type is unregistered;
// [RemoveByScan] does, and [Table.RepairGuards] does for registered types. It does not find items
// that were stored before RecordPartitions was set, and neither written again nor reindexed since
// ([Reindex]), or by other programs in partitions of their own; [RemoveByScan] does. An item whose
// field has another tenant than its key is [trestle.ErrTenant]; RemoveByScan deletes it.
//
// It costs one read unit per 4 KB of the tenant's items, one unit more for each of its partitions
// and 16 units for the entries, one write unit per KB of each item and index entry, and one for
// each entry. An item with guards costs twice as many write units, and two for each guard. It
// returns a report, also with an error. The observer is notified of operations with the name
// "remove tenant". The permissions are those of a query and a batch write, of a deletion, of a
// transaction if a type has unique values, and of a scan and a read with RemoveByScan.
func (t *Table) RemoveTenant(ctx context.Context, tenant string, options ...RemovalOption) (trestle.RemovalReport, error) {
	of, o, err := t.removal(tenant, removal.RemoveName, trestle.NotApplied, options)
	if err != nil {
		return trestle.RemovalReport{}, err
	}
	return of.Remove(ctx, o)
}

// CheckTenantRemoved returns a [*trestle.TenantItemsError] if the table has items of a tenant,
// entries that name its partitions included. It therefore also returns it right after
// [Table.RemoveTenant] without [RemoveIdle], until RemoveTenant was called again at Again of its
// report. It finds the items as RemoveTenant does, so not in partitions that are not recorded. With
// [RemoveByScan] it is a proof, as long as nobody writes.
//
// It reads strongly consistent. It costs one read unit for each partition that is empty, 16 units
// for the entries, and one unit per 4 KB of what it finds.
func (t *Table) CheckTenantRemoved(ctx context.Context, tenant string, options ...RemovalOption) error {
	of, o, err := t.removal(tenant, removal.CheckName, trestle.NoWrite, options)
	if err != nil {
		return err
	}
	return of.Check(ctx, o)
}

// removal returns a tenant of the table. The error is that of the operation.
func (t *Table) removal(tenant, operation string, outcome trestle.Outcome, options []RemovalOption) (of removal.Tenant, o removal.Options, err error) {
	own := t.Tenant(tenant)
	if err := own.opened(); err != nil {
		return of, o, repo.Invalid(operation, nil, outcome, err)
	}
	if err := own.view.Err; err != nil {
		return of, o, repo.Invalid(operation, nil, outcome, err)
	}
	for _, option := range options {
		if option != nil {
			option.removal(&o)
		}
	}
	of = removal.Tenant{ID: tenant, Schema: own.view.Schema, Own: &own.view.Exec}
	if t.view.Exec.Tenant == nil {
		of.Whole = &t.view.Exec
	}
	return of, o, nil
}
