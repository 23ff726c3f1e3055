package table

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// ReindexOptions are the options of Reindex.
type ReindexOptions struct {
	ScanOptions
	Rate     float64                     // write units per second; 0: no limit
	Progress func(trestle.ReindexReport) // may be nil
	Token    string                      // where an earlier run ended; "": the beginning
	DryRun   bool                        // only counts
	Regroups bool                        // moves items of earlier numbers of shards
	Expired  bool                        // expired items exist; otherwise, they count as none
}

// Reindex renders the keys and the guards of all stored items of a type again. It returns a
// *trestle.ReindexError for the items that it could not change, joined to the error that ended the
// run, if there is one.
func (t Table) Reindex(ctx context.Context, p *core.Plan, cursors *cursor.Codec, o ReindexOptions) (trestle.ReindexReport, error) {
	r := &reindexRun{scanRun: newScanRun(t, ReindexName, o.ScanOptions), options: o, plan: p, cursors: cursors, limiter: limiter{rate: o.Rate}}
	r.report.Token = o.Token
	err := r.validate()
	if err == nil {
		err = r.run(ctx)
	}
	switch problems := r.err(); {
	case err == nil:
		err = problems
	case problems != nil:
		err = errors.Join(err, problems)
	}
	return r.current(), err
}

// reindexRun is a running reindex.
type reindexRun struct {
	scanRun
	found   problemList[trestle.ReindexProblem]
	earlier int // problems of the earlier runs that this run continues
	options ReindexOptions
	plan    *core.Plan
	cursors *cursor.Codec
	limiter limiter
	given   given
	report  trestle.ReindexReport // without Left and Capacity
}

// validate checks the options. It opens the token.
func (r *reindexRun) validate() error {
	var wrong errs.Problems
	r.limiter.checkRate(&wrong)
	needsCursors(r.options.Token, r.cursors, &wrong)
	if err := wrong.Err(); err != nil {
		return r.invalid(r.name, trestle.NotApplied, err)
	}
	return r.openToken()
}

// run reads all items of the table, and changes those of the type.
func (r *reindexRun) run(ctx context.Context) error {
	sink := reindexSink{schema: r.Schema, plan: r.plan}
	return r.scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		if err := r.page(ctx, sink.take()); err != nil {
			return false, err
		}
		if err := r.setToken(); err != nil {
			return false, err
		}
		if r.options.Progress != nil {
			r.options.Progress(r.current())
		}
		return true, nil
	})
}

// expiry returns which items have expired at this moment.
func (r *reindexRun) expiry() core.Expiry {
	if r.options.Expired {
		return core.Expiry{}
	}
	return core.ExpiryOf(r.plan, r.Config.Now)
}

// current returns the report so far.
func (r *reindexRun) current() (report trestle.ReindexReport) {
	r.locked(func() { report = r.report })
	report.Left, report.Capacity = r.found.count(), r.spent()
	return report
}

// err returns a *trestle.ReindexError with the problems, or nil if there are none.
func (r *reindexRun) err() error {
	if r.found.count()+r.earlier == 0 {
		return nil
	}
	return &trestle.ReindexError{Table: r.Config.Table, Problems: r.found.list, More: r.found.count() > len(r.found.list), Earlier: r.earlier}
}

// reindexSink receives the items of a type.
type reindexSink struct {
	noSink
	schema *core.Schema
	plan   *core.Plan
	stored []write.Stored
}

// Unmatched receives an item.
func (s *reindexSink) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if p != s.plan {
		return false, nil
	}
	s.stored = append(s.stored, write.Stored{Key: s.schema.KeyOf(row), Item: row.Item()})
	return true, nil
}

// take returns the page and empties the sink.
func (s *reindexSink) take() []write.Stored {
	page := s.stored
	s.stored = nil
	return page
}

// page changes the items of a page.
func (r *reindexRun) page(ctx context.Context, items []write.Stored) error {
	r.locked(func() { r.report.Items += len(items) })
	list := make([]*reindexed, 0, len(items))
	for _, stored := range items {
		i := &reindexed{run: r, stored: stored}
		if i.compare() {
			list = append(list, i)
		}
	}
	if err := r.readGuards(ctx, list); err != nil {
		return err
	}
	if r.options.DryRun {
		if err := r.readTargets(ctx, list); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return nil
	}
	return parallel(ctx, r.Concurrency, len(list), func(ctx context.Context, n int) error { return list[n].settle(ctx) })
}

// readGuards reads the guards of items, in batches.
func (r *reindexRun) readGuards(ctx context.Context, list []*reindexed) error {
	var keys []op.Item
	var targets []*op.Item
	for _, i := range list {
		for n, key := range i.next.Guards() {
			if key != nil {
				keys, targets = append(keys, key), append(targets, &i.guards[n])
			}
		}
	}
	return r.get(ctx, keys, func(n int, row core.Row) { *targets[n] = row.Item() })
}

// readTargets reads the items under the new keys of items that move, in batches.
func (r *reindexRun) readTargets(ctx context.Context, list []*reindexed) error {
	var keys []op.Item
	var targets []*op.Item
	for _, i := range list {
		if i.next.Moves() {
			keys, targets = append(keys, i.next.To()), append(targets, &i.target)
		}
	}
	return r.get(ctx, keys, func(n int, row core.Row) { *targets[n] = row.Item() })
}
