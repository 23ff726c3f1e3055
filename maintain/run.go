package maintain

import (
	"context"
	"errors"
	"maps"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/scan"
)

// Run says how a table is read and changed. The zero value reads four segments of the whole table
// at the same time, without limits, and changes what is to be changed.
type Run struct {
	// Concurrency is the number of segments of the table that are read in parallel. It also limits
	// the number of other requests at the same time. A number below 1 is 4. The maximum is 100.
	Concurrency int
	// Budget ends the run with query.ErrBudget after the page with which it has consumed that many
	// read and write units together. The last pages can exceed the budget. Zero is no budget. It
	// limits the cost of a run, not its time: see Rate.
	Budget float64
	// Rate limits the run to a number of read and write units per second, together and on average.
	// Before a page is checked, and before each write, the run waits as long as the units so far
	// require. Requests that are sent at the same time may exceed the rate for a moment. Zero is no
	// limit. A run takes as many seconds as its units divided by the rate.
	Rate float64
	// Progress is called after each page of a scan, in the goroutine of the caller. The token of
	// its report continues after that page. It may be nil.
	Progress func(Report)
	// DryRun changes nothing: the report counts what a run would change, and the error lists what a
	// run finds. So the dry run of a repair is a check. It needs no permission to write.
	DryRun bool
	// From continues at the token of an earlier report. What is before the token is not read again:
	// if the earlier runs had problems, the error is an [*Error] with their number, also if this
	// run has none. A token of another function, of another table, of other templates or of other
	// fields of Run is query.ErrCursor, except for Budget, Rate and Progress. A table that was
	// opened without entity.Cursors or entity.PlainCursors has no tokens, and neither has
	// [RepairCounts].
	From string

	// Shards lets [Reindex] also move the items that are in the shard of an earlier number of
	// shards to that of the current number. When no item is left, the earlier numbers can be
	// removed from the type.
	Shards bool
	// Scan lets [RemoveTenant] and [ExportTenant] read the whole table, instead of the tenant index
	// and the partitions that have the items of the tenant.
	Scan bool
	// NoOtherWriters declares that nothing else writes to the table during [RepairCounts]. It then
	// also repairs the counts of types without a version.
	NoOtherWriters bool
}

// The names of the operations in errors and events.
const (
	checkName        = "check table"
	checkItemsName   = "check items"
	checkGuardsName  = "check guards"
	repairGuardsName = "repair guards"
	checkCountsName  = "check counts"
	repairCountsName = "repair counts"
	reindexName      = "reindex"
	copyName         = "copy"
	replacementName  = "check replacement"
	removeTenantName = "remove tenant"
	checkTenantName  = "check removed tenant"
	exportTenantName = "export tenant"
)

// tableOf returns the content of a table, for an operation on all of it. The error is that of the
// operation.
func tableOf(t *entity.Table, operation string, outcome trestle.Outcome) (hooks.Table, error) {
	of := hooks.TableOf(t)
	err := of.Err
	if err == nil {
		err = of.Config.Tenant.Whole()
	}
	if err == nil {
		return of, nil
	}
	e := &trestle.OpError{Op: operation, Outcome: outcome}
	e.Kind, e.Err = errs.Classify(err)
	return of, e
}

// task is a run of one function. It has what all of them share.
type task struct {
	*scan.Run
	options  Run
	problems problemList
	pending  func() int // the number of problems that problems does not have yet; may be nil
	report   Report     // without Left, Token and Capacity
}

// newTask returns a task on a table. A read is eventually consistent, and has at most a number of
// items, if these are not 0.
func (r Run) newTask(t *entity.Table, name string, sample int) (*task, error) {
	outcome := trestle.NotApplied
	if r.DryRun {
		outcome = trestle.NoWrite
	}
	of, err := tableOf(t, name, outcome)
	if err != nil {
		return nil, err
	}
	k := &task{options: r}
	k.Run = scan.New(scan.Table{Config: of.Config, Schema: of.Schema, Cursors: of.Cursors}, name, outcome, scan.Options{
		Concurrency: r.Concurrency, Budget: r.Budget, Rate: r.Rate, From: r.From, Items: sample, Eventual: sample > 0,
		Progress: func() {
			if r.Progress != nil {
				r.Progress(k.current())
			}
		},
	})
	k.problems.schema, k.report.ByType = of.Schema, map[string]int{}
	return k, nil
}

// left returns the number of problems so far.
func (k *task) left() int {
	n := k.problems.count()
	if k.pending != nil {
		n += k.pending()
	}
	return n
}

// do opens the token, which is also bound to the fields of Run and to what bind adds, and calls f,
// which scans the table in a number of stages. It returns the report and the error of the task.
func (k *task) do(ctx context.Context, stages int, bind func(cursor.Binding), f func(context.Context) error) (Report, error) {
	err := k.Open(scan.Bound{Stages: stages, Found: k.left, Add: func(b cursor.Binding) {
		b.Flag(k.options.DryRun)
		b.Flag(k.options.Shards)
		b.Flag(k.options.Scan)
		b.Flag(k.options.NoOtherWriters)
		if bind != nil {
			bind(b)
		}
	}})
	if err == nil {
		err = f(ctx)
	}
	found := k.problems.err(k.Name, k.Config.Table, k.Earlier())
	switch {
	case err == nil && found != nil:
		err = found
	case found != nil:
		err = errors.Join(err, found)
	}
	return k.current(), err
}

// current returns the report so far.
func (k *task) current() (report Report) {
	k.Locked(func() {
		report = k.report
		report.ByType = maps.Clone(report.ByType)
	})
	report.Left, report.Token, report.Capacity = k.left(), k.Token(), k.Spent()
	return report
}

// counts adds an item to the report, by the name of its type.
func (k *task) counts(name string) {
	k.Locked(func() {
		k.report.Items++
		k.report.ByType[name]++
	})
}
