package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/repo"
	"github.com/trestledb/trestle/internal/table"
)

// ReindexOption is an option of [Reindex].
type ReindexOption interface{ reindex(*table.ReindexOptions) }

type reindexOption func(*table.ReindexOptions)

func (o reindexOption) reindex(r *table.ReindexOptions) { o(r) }

// ReindexConcurrency sets the number of segments of the table that are read in parallel, and limits
// the number of other requests at the same time. The default is 4, which also replaces an n below
// 1. The maximum is 100. A token continues only with the same number.
func ReindexConcurrency(n int) ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Concurrency = n })
}

// ReindexBudget ends the run with query.ErrBudget after the page with which it has consumed that
// many read and write units together. The report has the token to continue from, and a
// [*trestle.ReindexError] in the error lists the problems so far. The last pages can exceed the
// budget. It limits the cost of a run, not its time: see [ReindexRate].
func ReindexBudget(units float64) ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Units = units })
}

// ReindexRate limits the writes to a number of write units per second on average, including the
// estimated units of writes that failed because of another writer. Writes that are sent at the same
// time may exceed it for a moment. Reads are not limited. Zero is no limit.
//
// A run takes as many seconds as its write units divided by the rate. For example, a new index of
// 10,000 stored items of at most 1 KB costs 20,000 write units, one for each item and one for its
// entry, and at most 2,500 read units: 200 seconds at a rate of 100. With a [ReindexBudget] of
// 5,000, such a run ends after about 3,000 items and 60 seconds.
func ReindexRate(unitsPerSecond float64) ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Rate = unitsPerSecond })
}

// ReindexProgress calls f after each page of the scan, in the goroutine of the caller. Its report
// has the token from which another run continues after that page.
func ReindexProgress(f func(trestle.ReindexReport)) ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Progress = f })
}

// ReindexFrom continues at the token of an earlier run. The items before it are not read again: if
// the earlier runs had problems, the error is a [*trestle.ReindexError] with their number, also if
// this run has none. A token of another type, of another table, of other templates or of other
// options is query.ErrCursor. A table that was opened without [Cursors] or [PlainCursors] has no
// tokens.
func ReindexFrom(token string) ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Token = token })
}

// ReindexDryRun changes nothing. The report counts what a run would change, and the error lists
// what it could not change. Apart from other writers, a run differs only in these cases: an item
// has the new key or a value of another one, but the run would move or change it first; or a key or
// value that two items would get is after the first million of new keys and values, or in two runs
// of which one continues the other.
//
// It reads what a run reads, and the item under each new key: one read unit per 4 KB, or one if
// there is none.
func ReindexDryRun() ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.DryRun = true })
}

// ReindexShards also moves the items that are in the shard of an earlier number of shards to that
// of the current number. When no item is left, the earlier numbers can be removed from the type.
func ReindexShards() ReindexOption {
	return reindexOption(func(r *table.ReindexOptions) { r.Regroups = true })
}

// Reindex renders the keys of all stored items of a type again, and changes those that differ:
//
//   - It sets, changes and removes index keys, and sets a missing type attribute. If the type is
//     not in an index, and another type has a field as a key attribute there, it keeps that
//     attribute.
//   - It claims the guards of unique values that have none (see [Unique]).
//   - It moves an item that is under the key of an older template to its key, with its guards, in
//     one transaction.
//
// Use it after an index or a unique value was added to a type that has stored items, or after a
// template has changed. For a new index, first create it: the error of [Table.Check] has the
// request. Then deploy all writers with the new schema, then reindex, and query the index only
// after that. Writers with an older schema write index keys of the older templates again.
//
// Reindex can run beside writers. Each write is conditional on the attributes that it was derived
// from being as they were read, and a move on all attributes. If another writer changed the item,
// it is read again. Reindex changes no version and no time of an update, because it changes no
// field: a write that checks the version succeeds after it. It changes no counts. A counting item
// that moves keeps its counts; the items that it counts must find it by its new key.
//
// An expired item counts as none, as for writes ([ShowExpired]): it does not move and claims no
// guard, and a move replaces one that has the new key. Its index keys are changed. If it cannot be
// decoded, that is no problem.
//
// Reindex only claims guards that are missing. [Table.RepairGuards] also corrects and deletes
// guards, of all types, and changes no index key. For a unique value that was added, either is
// enough. After the name or the template of a unique value has changed, Reindex claims the new
// guards and leaves the old ones, while RepairGuards creates and deletes them. Use RepairGuards
// also after other programs have written or deleted items. Use Reindex for index keys, moves, a
// rate and a token.
//
// It returns a report, also with an error. The error is a [*trestle.ReindexError] that lists what
// it could not change. If another error ends the run, such as that of the context, it is that
// error, joined with the list of what was found before. Then start Reindex again: with
// [ReindexFrom] and the token of the report, or from the beginning, which repeats nothing that was
// changed.
//
// It reads the items of all tenants, so the handle of a tenant ([Table.Tenant]) refuses it with
// [trestle.ErrInvalid].
//
// An item of an older template that has no type attribute is not found, because its key does not
// show its type.
//
// Reindex reads the whole table strongly consistent: one read unit per 4 KB of the table, and one
// per 4 KB of each guard of the type. An update costs one write unit per KB of the item, and those
// of its index entries: new key attributes change the entries of all indexes that project all
// attributes. With guards, and for a move, it is a transaction, which costs twice as much; a move
// writes the old and the new item. The entry of a partition costs one write unit and one request
// for each partition that the program has not recorded in the last hour. The observer is notified
// of operations with the name "reindex". The permissions are those of a scan, a batch read, updates
// and transactions.
//
//go:noinline
func Reindex[T any](ctx context.Context, r *Repo[T], options ...ReindexOption) (trestle.ReindexReport, error) {
	return reindex(ctx, (*repo.Repo)(r), options)
}

func reindex(ctx context.Context, r *repo.Repo, options []ReindexOption) (trestle.ReindexReport, error) {
	var o table.ReindexOptions
	for _, option := range options {
		if option != nil {
			option.reindex(&o)
		}
	}
	s := r.Source()
	o.Expired = s.Expired
	err := s.Err
	if err == nil {
		err = s.Config.Tenant.Whole()
	}
	if err != nil {
		return trestle.ReindexReport{}, repo.Invalid(table.ReindexName, nil, trestle.NotApplied, err)
	}
	return table.Table{Config: s.Config, Schema: s.Plan.Schema}.Reindex(ctx, s.Plan, s.Cursors, o)
}
