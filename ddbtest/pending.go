package ddbtest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// pending are the requests that rules hold up.
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

// Pending returns the requests that rules hold up at the moment, in the order of their arrival: those that are delayed or hang, and, as Late,
// those that are kept for later. [DB.Requests] has the others.
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

// delay keeps the request on its way.
func (x *exchange) delay(ctx context.Context, d time.Duration) error {
	defer x.wait()()
	return x.db.clock.inner.Sleep(ctx, d)
}

// hang keeps the request until its client gives up, or the database ends.
func (x *exchange) hang(ctx context.Context) {
	defer x.wait()()
	_ = x.db.clock.inner.Wait(ctx)
}

// wait lets it be seen that the request waits, until it does no more.
func (x *exchange) wait() (done func()) {
	x.entry.Fault = x.plan.Name()
	x.db.pending.add(x)
	return func() { x.db.pending.remove(x) }
}
