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

// RemoveByScan finds the items by a scan of the whole table instead of by queries. It costs one
// read unit per 4 KB of the table, and one per 4 KB of the item for each guard that is found before
// its item. It is refused on the handle of a tenant.
func RemoveByScan() RemovalOption {
	return removalOption(func(r *removal.Options) { r.ByScan = true })
}

// RemoveTenant deletes all items of a tenant: those of all types, the guards of their unique
// values, and the library's own, such as counters and locks. It is called on the table that
// [Schema.Open] returned; without a tenant index, also on the handle of that tenant. Items of other
// tenants are never deleted: each request is checked as one of the tenant's handle.
//
// First take away the tenant's access. Items that a program stores during the removal can remain,
// and so can items that were stored less than a second before it, because an index is eventually
// consistent. RemoveTenant can be repeated at any time: it deletes what is left. After an error, or
// when the context ends, call it again.
//
// The items are found by the tenant index (TenantIndex of the [Config]) and by the partitions of
// types that follow from the tenant. The error is [trestle.ErrInvalid] if nothing says that all
// items are on the index; if there is no tenant index, unless TenantIndex is None and a partition
// key of each type, or of an index that all its items are on, has no other field than the tenant
// and a shard. With [RemoveByScan], the whole table is read instead.
//
// An item with unique values is deleted in one transaction with its guards, so another writer that
// changes the values at the same time leaves no guard. If TenantIndex is None, an item whose guards
// cannot be found stays: its unique values, its time to live or the fields of its counts cannot be
// decoded. Everything else is deleted, and then the error has its key. RemoveTenant then does not
// find a guard whose item is gone either, for example because its type is unregistered. The tenant
// index and [RemoveByScan] find both.
//
// Items that other programs stored without the attributes of the index, outside the partitions of
// types, are found only by [RemoveByScan]. An item whose field has another tenant than its key is
// [trestle.ErrTenant]; RemoveByScan deletes it.
//
// It costs one read unit per 4 KB of each item, one for each partition of types and 16 for those in
// which earlier versions stored entries, half a unit per 4 KB of entries of the tenant index, and
// one write unit per KB of each item and index entry. An item with guards costs twice as many write
// units, and two for each guard. It returns a report, also with an error. The observer is notified
// of operations with the name "remove tenant". The permissions are those of a query, a read, a
// batch read and a batch write, of a deletion, of a transaction if a type has unique values, and of
// a scan with RemoveByScan.
func (t *Table) RemoveTenant(ctx context.Context, tenant string, options ...RemovalOption) (trestle.RemovalReport, error) {
	of, o, err := t.removal(tenant, removal.RemoveName, trestle.NotApplied, options)
	if err != nil {
		return trestle.RemovalReport{}, err
	}
	return of.Remove(ctx, o)
}

// CheckTenantRemoved returns a [*trestle.TenantItemsError] if the table has items of a tenant. It
// finds the items as [Table.RemoveTenant] does. With [RemoveByScan] it is a proof, as long as
// nobody writes.
//
// It costs one read unit for each partition that is empty, one per 4 KB of what it finds, and half
// a unit per 4 KB of entries of the tenant index.
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
