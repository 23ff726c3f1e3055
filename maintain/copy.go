package maintain

import (
	"context"
	"iter"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/scan"
)

// Copy puts every item of a table into another table, as it is stored: items of every type and of
// none, expired ones, and the library's own items. These are the guards of unique values, counters
// and their markers, locks, and the intents and chunks of documents. So unique values, counts and
// documents are right in the copy. The other table must exist and have the same key; it can have
// other indexes, another client, Region or account. An item that it has under the same key is
// replaced; others stay. A dry run reads the table, and writes nothing.
//
// The copy is not made at one moment: it lacks what is written to a part of the table that has been
// read. Stop all writers, or copy a table that a backup was restored to.
//
// If a run ends early, start it again: with its token, or from the beginning. To put an item twice
// has the same effect as once. Items that were not put are in the [*trestle.UnprocessedError]:
// [trestle.Unprocessed] returns their keys, which have the type map[string]types.AttributeValue.
//
// It reads strongly consistent, and writes in batches of 25, a page of up to 1,000 items at once:
// one read unit per 4 KB of the table, and in the other table one write unit per KB of each item,
// and those of its index entries. The observer of each table is notified of operations with the
// name "copy". The permissions are those of a scan, and of a batch write in the other table.
func Copy(ctx context.Context, from, to *entity.Table, run Run) (Report, error) {
	k, err := run.newTask(from, copyName, 0)
	if err != nil {
		return Report{}, err
	}
	other, err := tableOf(to, copyName, k.Outcome)
	if err != nil {
		return Report{}, err
	}
	r := &copyTask{task: k, to: other}
	if err := r.validate(); err != nil {
		return Report{}, k.Fail(k.Outcome, err)
	}
	return k.do(ctx, 1, func(b cursor.Binding) { b.Text(other.Config.Table) }, r.run)
}

// copyTask is a running copy.
type copyTask struct {
	*task
	to hooks.Table
}

// validate checks the tables.
func (r *copyTask) validate() error {
	var wrong errs.Problems
	from, to := r.Schema, r.to.Schema
	if r.Config.Table == r.to.Config.Table && sameClient(r.Config.Client, r.to.Config.Client) {
		wrong.Add("", "the table cannot be copied to itself", "open another table")
	}
	if from.Partition != to.Partition || from.Sort != to.Sort {
		wrong.Add("", "the tables have different keys", "give both schemas the same Partition and Sort")
	}
	return wrong.Err()
}

// sameClient reports whether two clients are one. Clients of a type that cannot be compared are
// not.
func sameClient(a, b trestle.Client) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// run copies one page after the other. The token is that of the last page that was copied.
func (r *copyTask) run(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	var page []op.Item
	var types []string
	add := func(row core.Row) {
		page = append(page, row.Item())
		types = append(types, r.Schema.TypeName(row))
	}
	sink := scan.Sink{Item: func(_ *core.Plan, row core.Row) { add(row) }, Untyped: add, Library: add}
	return r.Scan(ctx, &sink, func(ctx context.Context) (bool, error) {
		items, names := page, types
		page, types = nil, nil
		if !r.options.DryRun {
			if err := r.put(ctx, items); err != nil {
				return false, err
			}
		}
		for _, name := range names {
			r.counts(name)
		}
		return true, nil
	})
}

// put puts the items of a page into the other table.
func (r *copyTask) put(ctx context.Context, items []op.Item) error {
	config := r.to.Config
	var used trestle.Capacity
	b := batch.Batch{Name: r.Name, Table: config.Table, Config: config, Options: batch.Options{
		Concurrency: r.Concurrency, Progress: func(p batch.Progress) { used = p.Capacity },
	}}
	err := b.Write(ctx, puts(config, &core.Plan{Schema: r.to.Schema}, items))
	r.Spend(used)
	return err
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
	return batch.Write{Config: s.config, Operation: op.Operation{Name: copyName, Plan: s.plan, Actions: []op.Action{put}}}, nil
}
