package table

import (
	"context"
	"iter"
	"reflect"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// CopyOptions are the options of Copy.
type CopyOptions struct {
	ScanOptions
	Rate     float64                  // write units per second; 0: no limit
	Progress func(trestle.CopyReport) // may be nil
	Token    string                   // where an earlier run ended; "": the beginning
}

// Copy puts every item of the table into another table, as it is stored.
func (t Table) Copy(ctx context.Context, to Table, cursors *cursor.Codec, o CopyOptions) (trestle.CopyReport, error) {
	r := &copyRun{scanRun: newScanRun(t, CopyName, o.ScanOptions), options: o, to: to, cursors: cursors, limiter: limiter{rate: o.Rate}}
	r.report.Token = o.Token
	err := r.validate()
	if err == nil {
		err = r.run(ctx)
	}
	return r.current(), err
}

// copyRun is a running copy.
type copyRun struct {
	scanRun
	options CopyOptions
	to      Table
	cursors *cursor.Codec
	limiter limiter
	report  trestle.CopyReport // without Capacity
}

// validate checks the tables and the options. It opens the token.
func (r *copyRun) validate() error {
	var wrong errs.Problems
	r.limiter.checkRate(&wrong)
	needsCursors(r.options.Token, r.cursors, &wrong)
	from, to := r.Schema, r.to.Schema
	if r.Config.Table == r.to.Config.Table && sameClient(r.Config.Client, r.to.Config.Client) {
		wrong.Add("", "the table cannot be copied to itself", "open another table")
	}
	if from.Partition != to.Partition || from.Sort != to.Sort {
		wrong.Add("", "the tables have different keys", "give both schemas the same Partition and Sort")
	}
	if err := wrong.Err(); err != nil {
		return r.invalid(r.name, trestle.NotApplied, err)
	}
	if r.options.Token != "" && !r.openFrom(r.cursors, r.binding(), r.options.Token) {
		return &trestle.OpError{Op: r.name, Table: r.Config.Table, Outcome: trestle.NotApplied, Kind: errs.Cursor}
	}
	return nil
}

// sameClient reports whether two clients are one. Clients of a type that cannot be compared are
// not.
func sameClient(a, b trestle.Client) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// binding returns what a token is bound to: the tables, their keys and the segments.
func (r *copyRun) binding() cursor.Binding {
	b := cursor.NewBinding()
	b.Text(r.name)
	b.Text(r.Config.Table)
	b.Text(r.to.Config.Table)
	b.Texts(r.Schema.Signature())
	b.Number(r.Concurrency)
	return b
}

// run copies one page after the other. The token is that of the last page that was copied.
func (r *copyRun) run(ctx context.Context) error {
	var sink copySink
	return r.scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		if err := wait(ctx, r.limiter.delay(time.Now())); err != nil {
			return false, r.invalid(r.name, trestle.NotApplied, err)
		}
		if err := r.put(ctx, sink.take()); err != nil {
			return false, err
		}
		token, err := r.sealAt(r.cursors, r.binding())
		if err != nil {
			return false, err
		}
		r.locked(func() { r.report.Token = token })
		if r.options.Progress != nil {
			r.options.Progress(r.current())
		}
		return true, nil
	})
}

// put puts the items of a page into the other table.
func (r *copyRun) put(ctx context.Context, items []op.Item) error {
	config := r.to.Config
	var used trestle.Capacity
	b := batch.Batch{Name: r.name, Table: config.Table, Config: config, Options: batch.Options{
		Concurrency: r.Concurrency, Progress: func(p batch.Progress) { used = p.Capacity },
	}}
	err := b.Write(ctx, puts(config, &core.Plan{Schema: r.to.Schema}, items))
	r.locked(func() {
		r.capacity.Add(used)
		r.limiter.add(used.Write, time.Now())
		if err == nil {
			r.report.Items += len(items)
		}
	})
	return err
}

// current returns the report so far.
func (r *copyRun) current() (report trestle.CopyReport) {
	r.locked(func() { report = r.report })
	report.Capacity = r.spent()
	return report
}

// puts yields a put of each item. The plan is of no type.
func puts(c *exec.Config, p *core.Plan, items []op.Item) iter.Seq2[any, batch.Operation] {
	return func(yield func(any, batch.Operation) bool) {
		for _, item := range items {
			if !yield(p.Schema.KeyOf(core.NewRow(item)), storedPut{c, p, item}) {
				return
			}
		}
	}
}

// storedPut is the put of an item as it is stored.
type storedPut struct {
	config *exec.Config
	plan   *core.Plan
	item   op.Item
}

// Plan returns the operation.
func (s storedPut) Plan() (batch.Write, error) {
	put := op.Action{Verb: op.Put, Plan: s.plan, Item: op.NewContent(s.item), Idempotent: true}
	return batch.Write{Config: s.config, Operation: op.Operation{Name: CopyName, Plan: s.plan, Actions: []op.Action{put}}}, nil
}

// copySink receives all items, also those of the library.
type copySink struct {
	noSink
	items []op.Item
}

// Unmatched receives an item of any type.
func (s *copySink) Unmatched(_ *core.Plan, row core.Row) (bool, error) {
	s.items = append(s.items, row.Item())
	return true, nil
}

// Internal receives an item of the library.
func (s *copySink) Internal(row core.Row) { s.items = append(s.items, row.Item()) }

// take returns the page and empties the sink.
func (s *copySink) take() []op.Item {
	page := s.items
	s.items = nil
	return page
}
