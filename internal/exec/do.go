package exec

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// Do executes an operation and calls take with the reply. The operation fails with the error of
// take, which reports a missing item or one that cannot be decoded. Do notifies the observer before
// the first request and after take. The rows of the reply must not be used after take, except those
// of [core.RowsOf]. An error is a *trestle.OpError.
func Do(ctx context.Context, c *Config, o *op.Operation, take func(op.Reply) error) (err error) {
	outcome := outcomeOf(o)
	call := NewCall(c, trestle.OperationInfo{Operation: o.Name, Table: c.Table, Access: o.Access}, o.Plan, outcome)
	call.members, call.hasToken = o.Members, outcome == trestle.Unknown
	ctx = call.Start(ctx)
	err = ErrAborted
	defer func() { call.End(ctx, err) }()

	var rows core.Rows
	r := run{call: &call, pre: o.PreRead, token: o.Token, actions: o.Actions}
	e := r.begin(ctx)
	for again := e == nil; again; {
		rows, e = call.perform(ctx, r.actions, r.token)
		again, e = r.again(ctx, e)
	}
	if e == nil && o.After != nil && rows.Len() == 0 {
		rows, e = call.readAfter(ctx, o.After)
	}
	if e != nil {
		return e
	}
	if err := take(op.Reply{Rows: rows, Capacity: call.Capacity, Attempts: call.Attempts, Throttled: call.Throttled}); err != nil {
		if e := call.failMembers(err); e != nil {
			return e
		}
		return call.FailAt(soleKey(keyed(o)), err)
	}
	for i := range rows.Len() {
		if !rows.At(i).Empty() {
			call.Items++
		}
	}
	if outcome == trestle.NoWrite {
		call.countIgnoredTTLs(o.Actions, rows)
	}
	rows.Release()
	return nil
}

// keyed returns the actions of an operation, or the reads that it is planned from.
func keyed(o *op.Operation) []op.Action {
	if o.PreRead != nil {
		return o.PreRead.Reads
	}
	return o.Actions
}
