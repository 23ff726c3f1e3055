package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/table"
)

// GuardOption is an option of [Table.CheckGuards] and [Table.RepairGuards].
type GuardOption interface{ guards(*table.GuardOptions) }

type guardOption func(*table.GuardOptions)

func (o guardOption) guards(g *table.GuardOptions) { o(g) }

// GuardConcurrency sets the number of segments of the table that are read in parallel, and limits
// the number of other requests at the same time. The default is 4, which also replaces an n below
// 1. The maximum is 100.
func GuardConcurrency(n int) GuardOption {
	return guardOption(func(g *table.GuardOptions) { g.Concurrency = n })
}

// GuardBudget ends the check or the repair with query.ErrBudget after it has consumed that many
// read and write units together. A repair that starts again does not repeat what was repaired.
func GuardBudget(units float64) GuardOption {
	return guardOption(func(g *table.GuardOptions) { g.Units = units })
}

// GuardProgress calls f after each page of the scan, in the goroutine of the caller.
func GuardProgress(f func(trestle.GuardReport)) GuardOption {
	return guardOption(func(g *table.GuardOptions) { g.Progress = f })
}

// CheckGuards reads the whole table and compares the items with the guards of their unique values
// (see [Unique]). It returns a [*trestle.GuardError] that lists the problems: items without their
// guard, guards without an item, guards of another item or with another time to live, and items
// with the same value. It ends after 1,000 problems. It skips guards of types that the schema does
// not have.
//
// CheckGuards can run beside writers: it confirms each problem with a transaction that reads the
// guard and its items at one moment. It does not list items that have expired, nor their guards,
// nor problems that end within a minute because an item expires: the clock of the program that took
// over an expired value may be ahead by that much. If several items without a guard have the same
// value, it lists the first one as an item without a guard.
//
// It reads strongly consistent. Its cost in read units is one per 4 KB of the table, one per guard,
// and one per 4 KB of the item for each of its guards. It needs the permissions of a scan, a batch
// read and a get. The observer is notified of operations with the name "check guards".
func (t *Table) CheckGuards(ctx context.Context, options ...GuardOption) error {
	whole, err := t.whole(table.CheckGuardsName, trestle.NoWrite)
	if err != nil {
		return err
	}
	return whole.CheckGuards(ctx, guardOptions(options))
}

// RepairGuards creates missing guards, corrects those that name another item or have another time
// to live, and deletes those without an item. It returns a report, also with an error. The error is
// a [*trestle.GuardError] that lists what it could not repair: items with the same value, and items
// that cannot be checked. Without an error, all guards are right.
//
// Use it to add a unique value to a type that has stored items, or to change its name or its
// template: first deploy all writers with the new schema, then repair. Until then, writers find no
// guards of values that were stored before, so two items can get the same value; RepairGuards
// reports them. Use it also after other programs have written or deleted items. It changes no index
// key and moves no item: for those, and for a run with a rate or a token, see [Reindex].
//
// RepairGuards can run beside writers. Each repair is a transaction that is conditional on the
// guard and its items being as they were read. If another writer changed them, they are read again.
// If all eight attempts fail, the problem is listed with the error of the last one. After any other
// error, or when the context ends, start RepairGuards again.
//
// It reads the table twice. Its cost in read units is two per 4 KB of the table, one per guard, and
// one per 4 KB of the item for each of its guards. A repair costs two write units per KB of the
// guard, and as much for each item that it checks. It needs the permissions of CheckGuards and of
// transactions. The observer is notified of operations with the name "repair guards". The outcome
// of an error is that of its request only: earlier repairs were applied.
func (t *Table) RepairGuards(ctx context.Context, options ...GuardOption) (trestle.GuardReport, error) {
	whole, err := t.whole(table.RepairGuardsName, trestle.NotApplied)
	if err != nil {
		return trestle.GuardReport{}, err
	}
	return whole.RepairGuards(ctx, guardOptions(options))
}

func guardOptions(options []GuardOption) (g table.GuardOptions) {
	for _, o := range options {
		if o != nil {
			o.guards(&g)
		}
	}
	return g
}
