package ddbtest

import (
	"errors"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Snapshot is the content of a database at one moment: its tables with their items, streams and
// settings. It is immutable.
type Snapshot struct{ state *store.State }

// Snapshot returns a snapshot of the database, in constant time.
func (db *DB) Snapshot() *Snapshot {
	db.catchUp()
	snapshot := new(Snapshot)
	db.tape.during(func(e *event) {
		snapshot.state = db.store.Snapshot()
		e.Kind, e.Snapshot = eventSnapshot, db.tape.number(snapshot)
	})
	return snapshot
}

// Restore sets the database to the content of a snapshot, which may come from another database. A
// snapshot can be restored any number of times. Afterwards eventually consistent reads are up to
// date. Clock, rules and log do not change.
func (db *DB) Restore(s *Snapshot) {
	db.testing().Helper()
	if s == nil || s.state == nil {
		db.report(errors.New("Restore: there is no snapshot"))
		return
	}
	db.catchUp() // due changes belong to the content that is replaced
	db.tape.during(func(e *event) {
		db.store.Restore(s.state)
		e.Kind, e.Snapshot = eventRestore, db.tape.find(s)
	})
}

// Fork returns an independent copy of the database with the same content and the same time. Later
// changes of one do not affect the other, but closing the origin closes the fork. Fork copies the
// options, the lag and the limit of [DB.LimitHeat]. It does not copy rules, budgets, log, load and
// cost. Random decisions of a fork start again from the same seed, so forks with the same rules act
// alike. Faults of a fork fail the test of its origin: see [DB.ForkFor].
//
// If the fork is made inside a bubble of testing/synctest and its origin outside, the clock of the
// fork continues from the last time that the origin recorded.
func (db *DB) Fork() *DB {
	db.catchUp()
	inner := db.clock.inner.Copy()
	var fork *DB
	db.tape.during(func(e *event) {
		e.Kind = eventSweep // a replay only sweeps here
		fork = newDB(db.options, inner, db.store.Fork(inner))
		if db.tape != nil {
			fork.tape = db.tape.fork(fork)
		}
	})
	fork.heat.limit.Store(db.heat.limit.Load())
	fork.origin, fork.of, fork.wrong = db, db.of, db.wrong
	if time.Now().Before(db.born) {
		fork.carryTime()
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
func (db *DB) Hash() (hash [32]byte) {
	db.catchUp()
	_ = db.store.View(func(s *store.State) error { // cannot fail
		hash = s.Hash()
		return nil
	})
	return hash
}

// carryTime advances the clock to the last time that the database recorded. In a bubble the clock
// would otherwise be behind it.
func (db *DB) carryTime() {
	_ = db.store.View(func(s *store.State) error {
		if s.Now.After(db.clock.Now()) {
			db.clock.inner.Advance(s.Now.Sub(db.clock.Now()))
		}
		return nil
	})
}
