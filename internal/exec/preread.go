package exec

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Replans is the maximum number of times that an operation is sent. It is sent again if it is
// undecided.
const Replans = 8

// concurrentReads is the maximum number of reads that an operation sends at the same time.
const concurrentReads = 8

// errDeleted is no sentinel error, because the write was applied.
var errDeleted = &errs.ValidationError{Problems: []errs.Problem{{
	Reason: "the write was applied, but the item cannot be returned: another writer deleted it before it could be read",
}}}

// readAfter reads the item after a transaction that was applied. The outcome of an error is that of
// the transaction.
func (c *Call) readAfter(ctx context.Context, read *op.Action) (core.Rows, *trestle.OpError) {
	rows, e := c.find(ctx, read)
	switch {
	case e != nil:
		e.Hint = "the write was applied, but the item could not be read afterwards: read it again"
		return core.Rows{}, e
	case rows.Len() == 0:
		e = c.failure(errDeleted)
		e.Key, e.RequestID = keyOf(read), c.requestID
		return core.Rows{}, e
	}
	return rows, nil
}

// find reads an item under its keys, one after the other, until it is found.
func (c *Call) find(ctx context.Context, read *op.Action) (core.Rows, *trestle.OpError) {
	act := *read
	for _, next := range append([]op.Item{read.Key}, read.Elsewhere...) {
		act.Key = next
		r := c.Config.action(ctx, &act)
		if e := c.accountFor(&act, &r); e != nil || r.Rows.Len() > 0 {
			return r.Rows, e
		}
	}
	return core.Rows{}, nil
}

// readItems sends the reads, several at the same time, unless the items are found already. It
// returns the items by index, nil for no item and for an expired one, and then empty slots.
func (c *Call) readItems(ctx context.Context, pre *op.PreRead) ([]op.Item, *trestle.OpError) {
	reads, slots := pre.Reads, pre.Slots
	if pre.Found != nil {
		return append(slices.Clone(pre.Found), make([]op.Item, slots)...), nil
	}
	responses := c.Config.actions(ctx, reads)
	stored := make([]op.Item, len(reads), len(reads)+slots)
	var first *trestle.OpError
	for i := range reads {
		if e := c.accountFor(&reads[i], &responses[i]); e != nil && first == nil {
			first = e
		}
		stored[i] = reads[i].Expiry.Alive(reads[i].Plan, responses[i].Rows.First().Item())
		responses[i].Rows.Release()
	}
	return stored[:len(reads)+slots], first
}

// actions sends actions, at most concurrentReads at the same time. It sends no more after the
// context ends. A panic of the client is raised in the caller's goroutine.
func (c *Config) actions(ctx context.Context, actions []op.Action) []Response {
	responses := make([]Response, len(actions))
	if len(actions) == 1 {
		responses[0] = c.action(ctx, &actions[0])
		return responses
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	panics := make(chan any, concurrentReads)
	for range min(concurrentReads, len(actions)) {
		workers.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- p
				}
			}()
			for i := next.Add(1) - 1; i < int64(len(actions)); i = next.Add(1) - 1 {
				if responses[i] = notStarted(ctx.Err()); responses[i].err == nil {
					responses[i] = c.action(ctx, &actions[i])
				}
			}
		})
	}
	workers.Wait()
	select {
	case p := <-panics:
		panic(p) //nolint:forbidigo // it is the panic of the client
	default:
		return responses
	}
}

// notStarted returns the response to a request that is not sent because of err, such as that of an
// ended context.
func notStarted(err error) Response {
	return Response{attempts: &attempts{watched: true}, err: err}
}

// notSent returns the error of an operation between two requests.
func (c *Call) notSent(reads []op.Action, err error) *trestle.OpError {
	if e := c.failMembers(err); e != nil {
		return e
	}
	var own *trestle.OpError
	if errors.As(err, &own) {
		e := *own
		e.Outcome, e.Attempts = c.Outcome, own.Attempts+c.Attempts
		return &e
	}
	e := c.FailAt(soleKey(reads), err)
	e.RequestID = ""
	return e
}

// setChanged replaces the items that differ from those that the actions were planned from, and
// reports whether there are any. The slots after the reads get an empty item for no item. They are
// cleared if an item changed, because they were found for its earlier state.
func setChanged(stored []op.Item, reads int, failed []failedAction) (changed bool) {
	itemChanged := false
	for _, f := range failed {
		failure := f.condition()
		if failure == nil {
			continue
		}
		met := failure.judged.Met
		for _, l := range f.act.Clauses {
			if l.Then != clause.Replan || l.Pred.Holds(met) {
				continue
			}
			changed = true
			found := met
			switch {
			case l.Read < reads:
				itemChanged = true
			case found == nil:
				found = op.Item{} // a slot that is nil is unknown
			}
			stored[l.Read] = found
		}
	}
	if itemChanged {
		clear(stored[reads:])
	}
	return changed
}
