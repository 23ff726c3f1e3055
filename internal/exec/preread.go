package exec

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Replans is the maximum number of times that an operation with a PreRead is planned. It is planned
// again if another writer changed an item.
const Replans = 8

// concurrentReads is the maximum number of reads that an operation sends at the same time.
const concurrentReads = 8

// readThenWrite plans the actions from the stored items. If another writer changed an item, it
// plans again from the item that the failed conditional check returned. It does not repeat after a
// failure of the caller's own condition.
func (c *Call) readThenWrite(ctx context.Context, pre *op.PreRead, token string) (core.Rows, *trestle.OpError) {
	stored, e := c.readItems(ctx, pre.Reads)
	if e != nil {
		return core.Rows{}, e
	}
	for try := 1; ; try++ {
		actions, err := pre.Plan(stored)
		if err != nil {
			return core.Rows{}, c.notSent(pre.Reads, err)
		}
		rows, e := c.perform(ctx, actions, token)
		if e == nil || try == Replans || !setChanged(stored, actions, e) {
			return rows, e
		}
		if err := pause(ctx, try); err != nil {
			return core.Rows{}, c.notSent(pre.Reads, err)
		}
	}
}

// readItems sends the reads, several at the same time. It returns the items by index, nil for no
// item.
func (c *Call) readItems(ctx context.Context, reads []op.Action) ([]op.Item, *trestle.OpError) {
	responses := make([]Response, len(reads))
	var all sync.WaitGroup
	slots := make(chan struct{}, concurrentReads)
	for i := range reads[1:] {
		all.Go(func() {
			slots <- struct{}{}
			responses[i+1] = c.Config.action(ctx, &reads[i+1])
			<-slots
		})
	}
	responses[0] = c.Config.action(ctx, &reads[0])
	all.Wait()
	stored := make([]op.Item, len(reads))
	var first *trestle.OpError
	for i := range reads {
		if e := c.accountFor(&reads[i], &responses[i]); e != nil && first == nil {
			first = e
		}
		stored[i] = responses[i].Rows.First().Item()
	}
	return stored, first
}

// notSent returns the error of an operation between two requests.
func (c *Call) notSent(reads []op.Action, err error) *trestle.OpError {
	e := c.FailAt(soleKey(reads), err)
	e.RequestID = ""
	return e
}

// setChanged reports whether the actions failed only because items changed after they were read. It
// replaces these items by the changed ones.
func setChanged(stored []op.Item, actions []op.Action, e *trestle.OpError) bool {
	var canceled *Cancellation
	if !errors.As(e.Err, &canceled) {
		return setChangedItem(stored, &actions[0], e)
	}
	for _, f := range canceled.Failures {
		if !setChangedItem(stored, &actions[f.Action], f.Err) {
			return false
		}
	}
	return len(canceled.Failures) > 0
}

// setChangedItem is setChanged for one action.
func setChangedItem(stored []op.Item, act *op.Action, e *trestle.OpError) bool {
	var failed *ConditionFailure
	if !errors.As(e.Err, &failed) {
		return false
	}
	for _, p := range act.Check.Planned {
		if !reflect.DeepEqual(failed.Existing[p.Attribute], p.Value) {
			stored[act.Check.PlannedRead] = failed.Existing
			return true
		}
	}
	return false
}
