package ddbtest

import (
	"cmp"
	"slices"
	"sync"
)

// journal holds the log, the cost and the budgets. Its lock is held only briefly.
type journal struct {
	mu      sync.Mutex
	log     ring
	cost    Cost
	budgets []*budget
}

// ring holds the last requests.
type ring struct {
	size    int
	next    int
	entries []Request
}

func (l *ring) add(r *Request) {
	if len(l.entries) < l.size {
		l.entries = append(l.entries, *r)
		return
	}
	l.entries[l.next] = *r
	l.next = (l.next + 1) % l.size
}

// add records a request and fails the tests of the budgets that it exceeds.
func (j *journal) add(x *exchange) {
	j.mu.Lock()
	j.log.add(&x.entry)
	j.cost.add(&x.entry, x.uses)
	exceeded := j.charge(&x.entry)
	j.mu.Unlock()
	for _, fail := range exceeded {
		fail()
	}
}

// done records a request that has its reply.
func (x *exchange) done(status int) {
	x.plan.Settle(x.steered)
	x.entry.Status = status
	x.entry.Fault = x.plan.Name()
	x.entry.Duration = x.db.clock.Now().Sub(x.entry.At)
	if x.unseen {
		return
	}
	if x.db.tape == nil {
		x.entry.body = nil
	}
	x.db.journal.add(x)
}

// Requests returns the requests so far, in the order of their arrival. It returns at most the last
// [Options.LogSize] of them.
func (db *DB) Requests() []Request {
	db.catchUp()
	db.journal.mu.Lock()
	defer db.journal.mu.Unlock()
	requests := slices.Clone(db.journal.log.entries)
	slices.SortFunc(requests, func(a, b Request) int { return cmp.Compare(a.Seq, b.Seq) })
	return requests
}
