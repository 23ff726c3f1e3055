package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/table"
)

// CountOption is an option of [Table.CheckCounts] and [Table.RepairCounts].
type CountOption interface{ counts(*table.CountOptions) }

type countOption func(*table.CountOptions)

func (o countOption) counts(c *table.CountOptions) { o(c) }

// CountConcurrency sets the number of segments of the table that are read in parallel, and limits
// the number of other requests at the same time. The default is 4, which also replaces an n below
// 1. The maximum is 100.
func CountConcurrency(n int) CountOption {
	return countOption(func(c *table.CountOptions) { c.Concurrency = n })
}

// CountBudget ends the check or the repair with query.ErrBudget after it has consumed that many
// read and write units together.
func CountBudget(units float64) CountOption {
	return countOption(func(c *table.CountOptions) { c.Units = units })
}

// CountProgress calls f after each page of a scan, in the goroutine of the caller.
func CountProgress(f func(trestle.CountReport)) CountOption {
	return countOption(func(c *table.CountOptions) { c.Progress = f })
}

// NoOtherWriters declares that nothing else writes to the table during [Table.RepairCounts]. It
// then also repairs the counts of types without a version.
func NoOtherWriters() CountOption {
	return countOption(func(c *table.CountOptions) { c.NoOtherWriters = true })
}

// CheckCounts reads the whole table and compares the counts with the number of the items that are
// counted (see [Counted]). It returns a [*trestle.CountError] that lists the counts that are wrong,
// those that it could not check because their item was written each time, and counted items that
// cannot be decoded, for which the counts of their type are not checked.
//
// A count that seems wrong is confirmed: the items are counted again, and the counting item must
// still have the version that it had before. Each write that creates or deletes a counted item
// increments that version. If all counted items are in the partition of the counting item, that
// item collection is read again, up to eight times; otherwise the whole table, up to three times,
// for all such counts together. Without a version, CheckCounts compares the counts only. It may
// then list a right count if one item was created and another one deleted meanwhile.
//
// It is also possible that CheckCounts misses a wrong count that is written during the scan. The
// next check finds it.
//
// It reads strongly consistent. Its cost in read units is one per 4 KB of the table, and as much
// for what it reads again. It keeps the key and the counts of each counting item in memory. It
// needs the permissions of a scan, a query and a batch read. The observer is notified of operations
// with the name "check counts".
func (t *Table) CheckCounts(ctx context.Context, options ...CountOption) error {
	whole, err := t.whole(table.CheckCountsName, trestle.NoWrite)
	if err != nil {
		return err
	}
	return whole.CheckCounts(ctx, countOptions(options))
}

// RepairCounts sets the counts that [Table.CheckCounts] lists as wrong to the number of the items.
// It returns a report, also with an error. The error is a [*trestle.CountError] that lists what it
// could not repair.
//
// It is for counts that are wrong anywhere in the table; query.Recount corrects a count of one
// item. Use it to add a count to a type that has stored items, or to change its key: first deploy
// all writers with the new schema, then repair. Use it also after other programs have written or
// deleted items.
//
// RepairCounts can run beside writers that create, change and delete items, or move them to another
// counting item. A repair is conditional on the version that the counting item had before the items
// were counted, so each such write makes it fail, and the items are counted again. A condition on
// the count would not be enough, because one create and one delete leave it the same. For that
// reason, RepairCounts repairs a type without a version only with [NoOtherWriters].
//
// A transaction that creates and deletes as many items of one counting item, such as a move to
// another key, does not write the counting item. Stop writers with such transactions during the
// repair. Otherwise, an item that is moved during both the scan and the second count may be missed
// or counted twice. The next repair corrects that.
//
// Its cost is that of CheckCounts, and one write unit per KB for each counting item that it
// corrects. A correction increments the version, but does not set the time of update. It needs the
// permissions of CheckCounts and of updates. The observer is notified of operations with the name
// "repair counts". After an error of a request, or when the context ends, start it again: earlier
// repairs were applied.
func (t *Table) RepairCounts(ctx context.Context, options ...CountOption) (trestle.CountReport, error) {
	whole, err := t.whole(table.RepairCountsName, trestle.NotApplied)
	if err != nil {
		return trestle.CountReport{}, err
	}
	return whole.RepairCounts(ctx, countOptions(options))
}

func countOptions(options []CountOption) (c table.CountOptions) {
	for _, o := range options {
		if o != nil {
			o.counts(&c)
		}
	}
	return c
}
