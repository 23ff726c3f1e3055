package ddbtest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// pending holds the requests that rules delay at the moment.
type pending struct {
	mu  sync.Mutex
	all map[*exchange]Request
}

func (p *pending) add(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[*exchange]Request{}
	}
	p.all[x] = x.entry
}

func (p *pending) remove(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, x)
}

// Pending returns the requests that rules hold at the moment, in the order of their arrival:
// requests that are delayed or hang, and those that are kept for later, with Late set.
// [DB.Requests] returns the others.
func (db *DB) Pending() []Request {
	db.catchUp()
	var requests []Request
	for _, info := range db.late.Kept() {
		requests = append(requests, info.(Request))
	}
	db.pending.mu.Lock()
	defer db.pending.mu.Unlock()
	for _, r := range db.pending.all {
		requests = append(requests, r)
	}
	slices.SortStableFunc(requests, func(a, b Request) int { return cmp.Compare(a.Seq, b.Seq) })
	return requests
}

// delay delays the request by d.
func (x *exchange) delay(ctx context.Context, d time.Duration) error {
	defer x.wait()()
	return x.db.clock.inner.Sleep(ctx, d)
}

// hang blocks until the client gives up or the database is closed.
func (x *exchange) hang(ctx context.Context) {
	defer x.wait()()
	_ = x.db.clock.inner.Wait(ctx)
}

// wait lists the request as pending until done is called.
func (x *exchange) wait() (done func()) {
	x.entry.Fault = x.plan.Name()
	x.db.pending.add(x)
	return func() { x.db.pending.remove(x) }
}
