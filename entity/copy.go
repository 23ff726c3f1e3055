package entity

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/table"
)

// CopyOption is an option of [Table.CopyTo].
type CopyOption interface{ copyTable(*table.CopyOptions) }

type copyOption func(*table.CopyOptions)

func (o copyOption) copyTable(c *table.CopyOptions) { o(c) }

// CopyConcurrency sets the number of segments of the table that are read in parallel, and limits
// the number of writes at the same time. The default is 4, which also replaces an n below 1. The
// maximum is 100. A token continues only with the same number.
func CopyConcurrency(n int) CopyOption {
	return copyOption(func(c *table.CopyOptions) { c.Concurrency = n })
}

// CopyBudget ends the run with query.ErrBudget after the page with which it has consumed that many
// read and write units together. The report has the token to continue from. The last pages can
// exceed the budget.
func CopyBudget(units float64) CopyOption {
	return copyOption(func(c *table.CopyOptions) { c.Units = units })
}

// CopyRate limits the writes to a number of write units per second on average. A page of up to
// 1,000 items is written at once, and the run waits before it writes the next one. Reads are not
// limited. Zero is no limit.
func CopyRate(unitsPerSecond float64) CopyOption {
	return copyOption(func(c *table.CopyOptions) { c.Rate = unitsPerSecond })
}

// CopyProgress calls f after each page, in the goroutine of the caller. Its report has the token
// from which another run continues after that page.
func CopyProgress(f func(trestle.CopyReport)) CopyOption {
	return copyOption(func(c *table.CopyOptions) { c.Progress = f })
}

// CopyFrom continues at the token of an earlier run. A token of other tables or of another
// CopyConcurrency is query.ErrCursor. A table that was opened without [Cursors] or [PlainCursors]
// has no tokens.
func CopyFrom(token string) CopyOption {
	return copyOption(func(c *table.CopyOptions) { c.Token = token })
}

// CopyTo puts every item of the table into another table, as it is stored: items of every type and
// of none, expired ones, and the library's own items. These are the guards of unique values,
// counters and their markers, locks, the intents and chunks of documents, and the entries of
// partitions. So unique values, counts and documents are right in the copy. The other table must
// exist and have the same key; it can have other indexes, another client, Region or account. An
// item that it has under the same key is replaced; others stay.
//
// The copy is not made at one moment: it lacks what is written to a part of the table that has been
// read. Stop all writers, or copy a table that a backup was restored to.
//
// It returns a report, also with an error. If a run ends early, start it again: with [CopyFrom] and
// the token of the report, or from the beginning. To put an item twice has the same effect as once.
// Items that were not put are in the [*trestle.UnprocessedError]: [trestle.Unprocessed] returns
// their keys, which have the type map[string]types.AttributeValue.
//
// The handle of a tenant ([Table.Tenant]) refuses it with [trestle.ErrInvalid].
//
// It reads strongly consistent, and writes in batches of 25: one read unit per 4 KB of the table,
// and in the other table one write unit per KB of each item, and those of its index entries. The
// observer of each table is notified of operations with the name "copy". The permissions are those
// of a scan, and of a batch write in the other table.
func (t *Table) CopyTo(ctx context.Context, other *Table, options ...CopyOption) (trestle.CopyReport, error) {
	from, err := t.whole(table.CopyName, trestle.NotApplied)
	if err != nil {
		return trestle.CopyReport{}, err
	}
	to, err := other.whole(table.CopyName, trestle.NotApplied)
	if err != nil {
		return trestle.CopyReport{}, err
	}
	var o table.CopyOptions
	for _, option := range options {
		if option != nil {
			option.copyTable(&o)
		}
	}
	return from.Copy(ctx, to, t.view.Cursors, o)
}
