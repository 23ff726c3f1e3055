package batch

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/tenancy"
)

// entry is an argument of the batch that is not yet applied.
type entry struct {
	index     int // in the input
	argument  any
	operation Operation
	write     Write // empty while the entry waits

	plan  *core.Plan
	table string
	row   core.Row // has the key of its first item
	items []string // the identities of all items that it reads or writes, the first one first
	waits int      // the number of items for which an earlier entry is pending
	lost  bool     // it may have been applied by an attempt without a reply
	token bool     // it has a token of the caller, with which it may have been applied earlier
}

// key returns the key of the first item of an entry, or nil if it was never planned.
func (e *entry) key() op.Item {
	if e.plan == nil {
		return nil
	}
	return e.plan.Schema.KeyOf(e.row)
}

// add takes an argument.
func (w *writer) add(argument any, o Operation) {
	e := &entry{index: w.consumed, argument: argument, operation: o}
	w.consumed++
	w.pending[e.index] = e
	if !w.planEntry(e) {
		return
	}
	e.items = e.write.items(e.row)
	for _, item := range e.items {
		if len(w.queues[item]) > 0 {
			e.waits++
		}
		w.queues[item] = append(w.queues[item], e)
	}
	if e.waits > 0 {
		// It is planned again later, because an earlier write may stamp the same argument.
		e.write = Write{}
		w.waiting++
		return
	}
	w.dispatch(e)
}

// planEntry plans an entry. It returns false if the entry failed.
func (w *writer) planEntry(e *entry) bool {
	write, err := e.operation.Plan()
	if err != nil {
		w.fail(e, opError(err))
		return false
	}
	if w.call.Config == nil {
		w.call.Config = write.Config
	}
	act := write.first()
	e.plan, e.table, e.row = write.Plan, act.TableOr(write.Config.Table), act.KeyRow()
	if !w.call.Config.SameClient(write.Config) {
		w.fail(e, w.errorOf(e, w.unsent(errOtherClient)))
		return false
	}
	if !w.call.Config.Tenant.Same(write.Config.Tenant) {
		w.fail(e, w.errorOf(e, w.unsent(tenancy.ErrMixed)))
		return false
	}
	e.write, e.token = write, write.Token != ""
	return true
}

var errOtherClient = errs.New("", "the operation uses another client than the first one", "write one batch for each client")

// finish ends an entry that is applied or failed. Entries that wait for it may go on.
func (w *writer) finish(e *entry) {
	delete(w.pending, e.index)
	for _, item := range e.items {
		queue := w.queues[item][1:]
		if len(queue) == 0 {
			delete(w.queues, item)
			continue
		}
		w.queues[item] = queue
		next := queue[0]
		if next.waits--; next.waits == 0 && w.stopped == nil {
			w.waiting--
			if w.planEntry(next) {
				w.dispatch(next)
			}
		}
	}
}

// first returns the first read that a write is planned from, or else its first action.
func (w *Write) first() *op.Action {
	switch {
	case w.PreRead == nil:
		return &w.Actions[0]
	case len(w.PreRead.Reads) > 0:
		return &w.PreRead.Reads[0]
	default:
		return &w.readsAndActions()[0]
	}
}

// readsAndActions returns the reads that a write is planned from, and the actions if these items do
// not exist.
func (w *Write) readsAndActions() []op.Action {
	actions, _ := w.PreRead.Plan(make([]op.Item, len(w.PreRead.Reads))) // the error concerns the missing items
	return slices.Concat(w.PreRead.Reads, actions)
}

// items returns the identities of all items that a write reads or writes. Of a write that is
// planned from items, it returns those that are written if there are none, and those that are known
// to be written. These include the guards of new unique values, but not the guards of earlier ones.
// first is the row of its first item.
func (w *Write) items(first core.Row) []string {
	actions := w.Actions
	if w.PreRead != nil {
		actions = w.readsAndActions()
	}
	items := make([]string, 0, len(actions))
	add := func(table string, row core.Row) {
		if id := w.Plan.Schema.IdentityIn(table, row); !slices.Contains(items, id) {
			items = append(items, id)
		}
	}
	add(actions[0].TableOr(w.Config.Table), first)
	for i := range actions[1:] {
		a := &actions[1+i]
		add(a.TableOr(w.Config.Table), a.KeyRow())
	}
	if w.PreRead != nil {
		for _, key := range w.PreRead.Known {
			add(w.Config.Table, core.NewRow(key))
		}
	}
	return items
}
