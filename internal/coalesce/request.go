package coalesce

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// flight is the read of one item for all its waiters.
type flight struct {
	place
	act     *op.Action
	schema  *core.Schema
	request *request
	waiters []*waiter
	sent    bool
	writes  uint64 // of the item, before it was sent
}

// outdated reports whether a write of the item has ended since the read was sent.
func (f *flight) outdated() bool { return f.sent && f.writes != f.count() }

func (f *flight) count() uint64 { return exec.WritesOf(f.table, f.schema, f.act.Key) }

// waiter is a call that waits for an item.
type waiter struct {
	flight *flight
	done   chan result
}

// request is one request for the items of some flights.
type request struct {
	reads   *Reads
	flights []*flight
	waiting int // of all flights
	started bool
	timer   *time.Timer // nil: it has no window

	send      func() // in a goroutine of its own
	cancel    context.CancelFunc
	config    exec.Config
	operation trestle.OperationInfo
	event     trestle.Event
}

// newRequest returns a request with the configuration of the first call. It has no deadline of that
// call, and no observer, because each call has its own.
func newRequest(ctx context.Context, r *Reads, call *exec.Call) *request {
	q := &request{reads: r, config: *call.Config, operation: call.OperationInfo}
	ctx, q.cancel = context.WithCancel(context.WithoutCancel(ctx))
	q.send = func() { q.run(ctx) }
	q.config.Coalescer = nil
	q.config.Observer = trestle.ObserverFunc(func(_ context.Context, e trestle.Event) { q.event = e })
	return q
}

func (q *request) add(f *flight) {
	q.flights = append(q.flights, f)
	f.request = q
}

// wanted marks the flights with waiters as sent, and drops the others.
func (q *request) wanted() []*flight {
	q.reads.mu.Lock()
	defer q.reads.mu.Unlock()
	var list []*flight
	for _, f := range q.flights {
		if len(f.waiters) == 0 {
			q.reads.forget(f)
			continue
		}
		f.sent, f.writes = true, f.count()
		list = append(list, f)
	}
	return list
}

// run sends the request and gives each waiter its result.
func (q *request) run(ctx context.Context) {
	defer q.cancel()
	list := q.wanted()
	results := aborted(len(list), nil)
	defer func() {
		if p := recover(); p != nil { // a panic of the client
			results = aborted(len(list), p)
		}
		q.deliver(list, results)
	}()
	switch len(list) {
	case 0:
	case 1:
		results = q.readOne(ctx, list[0])
	default:
		results = q.readMany(ctx, list)
	}
}

// aborted returns the results of a request that did not return: the client panicked, or it ended
// the goroutine.
func aborted(n int, panicked any) []result {
	return slices.Repeat([]result{{err: exec.ErrAborted, panicked: panicked}}, n)
}

func (q *request) readOne(ctx context.Context, f *flight) []result {
	var got result
	o := &op.Operation{Name: q.operation.Operation, Plan: f.act.Plan, Actions: []op.Action{*f.act}}
	got.err = exec.Do(ctx, &q.config, o, func(reply op.Reply) error {
		got.rows = core.RowsOf(reply.Rows.First())
		return nil
	})
	return []result{got}
}

func (q *request) readMany(ctx context.Context, list []*flight) []result {
	results := make([]result, len(list))
	keys := make([]fetch.KeyRequest, len(list))
	for i, f := range list {
		keys[i] = fetch.KeyRequest{Table: f.table, Schema: f.schema, Key: f.act.Key}
	}
	call := exec.NewCall(&q.config, q.operation, nil, trestle.NoWrite)
	left, err := fetch.BatchGet(ctx, &call, keys, fetch.Projection{}, func(i int, row core.Row) error {
		results[i].rows = core.RowsOf(row)
		return nil
	})
	for _, i := range left {
		results[i] = result{err: err}
	}
	return results
}

// deliver gives each waiter its result. The first one gets the cost of the request.
func (q *request) deliver(list []*flight, results []result) {
	q.reads.mu.Lock()
	defer q.reads.mu.Unlock()
	cost := &q.event
	for i, f := range list {
		q.reads.forget(f)
		for _, w := range f.waiters {
			got := results[i]
			got.cost, cost = cost, nil
			if got.cost == nil {
				got.panicked = nil
			}
			w.done <- got
		}
		f.waiters = nil
	}
}

// result is what a waiter gets.
type result struct {
	rows     core.Rows
	err      error
	cost     *trestle.Event // nil: another call has the cost
	panicked any
}

// returnTo returns the result to a call.
func (r result) returnTo(c *exec.Call, act *op.Action) (core.Rows, *trestle.OpError) {
	if r.panicked != nil {
		panic(r.panicked) //nolint:forbidigo // it is the panic of the client
	}
	if c.Coalesced = r.cost == nil; !c.Coalesced {
		c.Add(r.cost)
		c.Unprocessed += r.cost.Unprocessed
	}
	if r.err == nil {
		return r.rows, nil
	}
	var e *trestle.OpError
	if !errors.As(r.err, &e) {
		return core.Rows{}, c.FailAt(act.Key, r.err)
	}
	own := *e
	own.Op, own.Entity = c.Operation, c.Entity
	if own.Key == nil { // else it may be the key of an item of another tenant in a batch
		own.Key = act.Key
	}
	return core.Rows{}, &own
}
