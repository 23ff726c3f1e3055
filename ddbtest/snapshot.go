package ddbtest

import (
	"errors"
	"slices"
	"sync"
	"weak"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Snapshot is the content of a database at one moment: its tables with their items, streams and
// settings. It is immutable.
type Snapshot struct{ state *store.State }

// Snapshot returns a snapshot of the database, in constant time.
func (db *DB) Snapshot() *Snapshot {
	db.test().Helper()
	_ = db.checkPlace()
	db.runDue()
	defer db.keepUnlessClosed()
	return &Snapshot{db.data.Snapshot()}
}

// Restore sets the database to the content of a snapshot, which may come from another database. A
// snapshot can be restored any number of times. Afterwards eventually consistent reads are up to
// date. The clock, the rules and the list of requests do not change.
func (db *DB) Restore(s *Snapshot) {
	db.test().Helper()
	if s == nil || s.state == nil {
		db.report(errors.New("Restore: the snapshot is nil"))
		return
	}
	if db.checkPlace() != nil {
		return
	}
	db.checkRuleTables()
	db.runDue() // due changes belong to the content that is replaced
	db.data.Restore(s.state)
	db.keepUnlessClosed()
}

// Fork returns an independent copy of the database with the same content and the same time. Later
// changes of one do not affect the other, but closing the origin closes the fork. Fork copies the
// options, the lag, the policies of clients and the limit of [DB.LimitPartitions]. It does not copy
// rules, budgets, requests, load and cost. Random decisions of a fork start again from the same
// seed, so forks with the same rules act alike. Errors of a fork fail the test of its origin: see
// [DB.ForkFor].
//
// If the fork is made inside a bubble of testing/synctest and its origin outside, the clock of the
// fork continues from the last time that the origin recorded.
func (db *DB) Fork() *DB {
	db.runDue()
	defer db.keepUnlessClosed()
	fork := newDB(db.options, db.data.Fork())
	fork.loads.SetLimit(db.loads.Limit())
	fork.policies = db.policies
	fork.origin, fork.testName, fork.invalid = db, db.testName, db.invalid
	if fork.inBubble && !db.inBubble {
		fork.data.AdvanceToLastChange()
	}
	db.forks.add(fork)
	if db.closed.Load() {
		fork.Close()
	}
	return fork
}

// Hash returns a hash of the content of the database: its tables with their definitions, settings
// and items. Two databases have the same hash if their content is the same, whatever the order of
// the writes. IDs, times, stream records, transaction tokens, and what eventually consistent reads
// see do not count. After a fork, the cost depends on the number of changes. Rules, budgets and
// cost ignore it, and [DB.Requests] does not list it.
func (db *DB) Hash() [32]byte {
	db.test().Helper()
	_ = db.checkPlace()
	db.runDue()
	defer db.keepUnlessClosed()
	return db.data.Hash()
}

// forks holds weak pointers to a database's forks.
type forks struct {
	mu   sync.Mutex
	list []weak.Pointer[DB]
}

// add adds a fork. It removes forks that are no longer in use when the list is full.
func (f *forks) add(db *DB) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) == cap(f.list) {
		f.list = slices.DeleteFunc(f.list, func(p weak.Pointer[DB]) bool { return p.Value() == nil })
	}
	f.list = append(f.list, weak.Make(db))
}

// close closes the forks.
func (f *forks) close() {
	f.mu.Lock()
	list := f.list
	f.list = nil
	f.mu.Unlock()
	for _, p := range list {
		if db := p.Value(); db != nil {
			db.Close()
		}
	}
}
