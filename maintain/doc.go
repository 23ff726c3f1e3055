// Package maintain checks and repairs whole tables, while programs use them: it compares a table
// with its schema, and its items with their guards, their counts and their keys.
//
// A function that reads the whole table takes a [Run] and returns a [Report], also with an error.
// What it found, or could not repair, is an [*Error], a list of [Problem] values. The zero Run
// changes what is to be changed. A dry run changes nothing, so the dry run of a repair is a check:
//
//	if err := maintain.Check(ctx, table); err != nil { // keys, indexes, time to live
//		return err
//	}
//	if _, err := maintain.RepairGuards(ctx, table, maintain.Run{DryRun: true}); err != nil {
//		return err // the guards that are missing, wrong or left over
//	}
//	report, err := maintain.Reindex(ctx, table, maintain.Run{Rate: 100, Budget: 50_000}, Employees)
//	if errors.Is(err, query.ErrBudget) {
//		save(report.Token) // the next run has it in From
//	}
//
// [Check] and [Replacement] read the description of the table only. [CheckItems] reads a number of
// items, and compares each with what a Put would store. [RepairGuards] is for unique values,
// [RepairCounts] for counts. [Reindex] renders the keys of stored items again, after an index or a
// unique value was added or a template was changed. [Copy] copies a table with the library's own
// items. [RemoveTenant] deletes all items of a tenant, and [ExportTenant] passes them to a
// function.
//
// # Runs
//
// A run reads the table in parallel segments, page by page, and has handled a page when Progress is
// called. If it ends early, because of its Budget, of its context or of a failed request, another
// run continues at the token of the report, or repeats the run from the beginning: what is right is
// not written again. Writes are conditional on what was read, so a run can be beside writers, and
// beside another run. [Copy] is the exception: it writes into another table without conditions.
//
// # Costs and permissions
//
// A run reads strongly consistent, for one read unit per 4 KB of the table. [CheckItems] reads
// eventually consistent, for half of it. Each function documents what it reads and writes beside
// the table, and which permissions it needs beyond those of a scan. A dry run needs no permission
// to write. All functions need the table itself: the handle of a tenant (entity.Table.Tenant) is
// [trestle.ErrInvalid], because they read the items of all tenants.
//
// # Errors
//
// An error is a [*trestle.OpError], an [*Error], or both joined, if a run that has found problems
// was ended by something else. query.ErrBudget is the end of the budget, and query.ErrCursor a
// token of another run. The outcome of an error is that of its request only: earlier writes of the
// run were applied. No text, no log line and no JSON of an error contains a key or a value; the
// fields of a [Problem] have the keys.
package maintain
