package ddbtest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// DeliverLate applies all held requests: late duplicates, and delayed requests whose client gave
// up.
func (db *DB) DeliverLate() {
	db.test().Helper()
	if db.checkPlace() == nil {
		db.deliver(db.held.All())
	}
}

// deliverDue applies the delayed requests that are due and whose client has gone.
func (db *DB) deliverDue() {
	if db.held.Any() {
		db.deliver(db.held.Due(db.data.Clock.Now()))
	}
}

// deliverAfter applies the held requests that waited for this request to be served. A request
// counts as served only if its operation ran. It does not count if a partition limit or a rule
// rejected it beforehand.
func (db *DB) deliverAfter(x *exchange, overrides *engine.Overrides, ok bool) {
	if x.setup || !x.ran || overrides.Reasons != nil || !db.held.Any() {
		return
	}
	call := x.identity()
	if ok {
		call.Items = fault.ItemNames(db.data.Store, x.written(overrides))
	}
	db.deliver(db.held.Served(&call, ok))
}

// written returns the targets that the request wrote.
func (x *exchange) written(overrides *engine.Overrides) []engine.Target {
	if x.info.WriteUnits == 0 { // a transaction whose token was used before
		return nil
	}
	var written []engine.Target
	for i, target := range x.request.Targets {
		if target.Write && (overrides.Unprocessed == nil || !overrides.Unprocessed(i)) {
			written = append(written, target)
		}
	}
	return written
}

// deliver applies held requests, and stores what they changed.
func (db *DB) deliver(requests []fault.Held) {
	for _, r := range requests {
		_ = db.recoverPanic(func() error { // no client waits for it
			r.Apply()
			return nil
		})
	}
	if len(requests) > 0 {
		db.keepUnlessClosed()
	}
}

// identity returns what distinguishes the request from others.
func (x *exchange) identity() fault.Call {
	return fault.NewCall(x.in.Operation, x.in.Body, x.in.InvocationID)
}

// hold keeps a copy of the request for later, because this exchange continues.
func (x *exchange) hold(h fault.Held) {
	late := &exchange{db: x.db, in: x.in, request: x.request, policy: x.policy, info: x.info}
	late.info.Late, late.info.Fault = true, x.plan.EffectNames()
	h.Call, h.Info, h.Apply = x.identity(), late.info, late.applyLate
	h.Call.Items = fault.ItemNames(x.db.data.Store, x.request.Targets)
	x.db.held.Hold(h)
}

// applyLate applies the request after its client stopped waiting. The reply is dropped.
func (x *exchange) applyLate() {
	x.info.Seq = int(x.db.requests.Add(1))
	x.info.At = x.db.data.Clock.Now()
	if _, err := x.apply(new(engine.Overrides)); err != nil {
		x.errorReply(err)
	}
	x.finish(0)
}

// waiting holds the requests that are delayed or hang at the moment.
type waiting struct {
	mu       sync.Mutex
	requests map[*exchange]Request
}

func (w *waiting) add(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.requests == nil {
		w.requests = map[*exchange]Request{}
	}
	w.requests[x] = x.info
}

func (w *waiting) remove(x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.requests, x)
}

// Pending returns the requests that rules hold at the moment, in the order of their arrival:
// requests that are delayed or hang, and those that are kept for later, with Late set.
// [DB.Requests] returns the others.
func (db *DB) Pending() []Request {
	db.test().Helper()
	_ = db.checkPlace()
	db.runDue()
	var requests []Request
	for _, info := range db.held.Infos() {
		requests = append(requests, info.(Request))
	}
	db.waiting.mu.Lock()
	defer db.waiting.mu.Unlock()
	for _, r := range db.waiting.requests {
		requests = append(requests, r)
	}
	slices.SortStableFunc(requests, func(a, b Request) int { return cmp.Compare(a.Seq, b.Seq) })
	return requests
}

// delay delays the request by d.
func (x *exchange) delay(ctx context.Context, d time.Duration) error {
	defer x.wait()()
	return x.db.data.Clock.Sleep(ctx, d)
}

// hang blocks until the client gives up or the database is closed.
func (x *exchange) hang(ctx context.Context) {
	defer x.wait()()
	_ = x.db.data.Clock.Wait(ctx)
}

// wait lists the request as pending until done is called.
func (x *exchange) wait() (done func()) {
	x.info.Fault = x.plan.EffectNames()
	x.db.waiting.add(x)
	return func() { x.db.waiting.remove(x) }
}
