package exec

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Replans is the maximum number of times that an operation with a PreRead is planned. It is planned
// again if another writer changed the item.
const Replans = 8

// Do executes an operation and calls take with the reply. The operation fails with the error of
// take, which reports a missing item or one that cannot be decoded. Do notifies the observer before
// the first request and after take. An error is a *trestle.OpError.
func Do(ctx context.Context, c *Config, o *op.Operation, take func(op.Reply) error) (err error) {
	outcome := trestle.NotApplied
	if o.PreRead == nil && o.Primary.Verb == op.Get {
		outcome = trestle.NoWrite
	}
	call := NewCall(c, trestle.OperationInfo{Operation: o.Name, Table: c.Table, Access: o.Access}, o.Plan, outcome)
	ctx = call.Start(ctx)
	err = ErrAborted
	defer func() { call.End(ctx, err) }()

	var rows core.Rows
	var e *trestle.OpError
	if o.PreRead == nil {
		rows, e = call.perform(ctx, &o.Primary)
	} else {
		rows, e = call.readThenWrite(ctx, o.PreRead)
	}
	if e != nil {
		return e
	}
	if err := take(op.Reply{Rows: rows, Capacity: call.Capacity, Attempts: call.Attempts}); err != nil {
		if o.PreRead != nil {
			return call.FailAt(o.PreRead.Read.Key, err)
		}
		return call.FailAt(keyOf(&o.Primary), err)
	}
	call.Items = rows.Len()
	return nil
}

// readThenWrite plans the action from the stored item. If another writer changed the item, it plans
// again from the item that the failed conditional check returned. It does not repeat after a
// failure of the caller's own condition.
func (c *Call) readThenWrite(ctx context.Context, pre *op.PreRead) (core.Rows, *trestle.OpError) {
	rows, e := c.perform(ctx, &pre.Read)
	if e != nil {
		return core.Rows{}, e
	}
	existing := rows.First().Item()
	for try := 1; ; try++ {
		act, err := pre.Plan(existing)
		if err != nil {
			return core.Rows{}, c.notSent(pre.Read.Key, err)
		}
		rows, e = c.perform(ctx, &act)
		changed, again := changedSince(e, &act)
		if !again || try == Replans {
			return rows, e
		}
		existing = changed
		if err := pause(ctx, try); err != nil {
			return core.Rows{}, c.notSent(pre.Read.Key, err)
		}
	}
}

// notSent returns the error of an operation between two requests.
func (c *Call) notSent(key op.Item, err error) *trestle.OpError {
	e := c.FailAt(key, err)
	e.RequestID = ""
	return e
}

// changedSince reports whether an action failed because the item changed after it was read. It
// returns the changed item.
func changedSince(e *trestle.OpError, act *op.Action) (existing op.Item, changed bool) {
	var failed *ConditionFailure
	if e == nil || !errors.As(e.Err, &failed) {
		return nil, false
	}
	for _, p := range act.Check.Planned {
		if !reflect.DeepEqual(failed.Existing[p.Attribute], p.Value) {
			return failed.Existing, true
		}
	}
	return nil, false
}

// pause waits before a retry. It uses full jitter: at most 20 ms after the first try, doubled after
// each further try.
func pause(ctx context.Context, tries int) error {
	t := time.NewTimer(rand.N(10 * time.Millisecond << tries))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
