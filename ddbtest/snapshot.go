package ddbtest

import (
	"errors"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Snapshot is what a database held at a moment: its tables, their items, streams and settings. It never changes.
type Snapshot struct{ state *store.State }

// Snapshot keeps what the database holds, at a cost that does not grow with it.
func (db *DB) Snapshot() *Snapshot {
	db.catchUp()
	snapshot := new(Snapshot)
	db.tape.during(func(e *event) {
		snapshot.state = db.store.Snapshot()
		e.Kind, e.Snapshot = eventSnapshot, db.tape.number(snapshot)
	})
	return snapshot
}

// Restore makes the database hold what it held at the snapshot, its own or another database's, any number of times. Eventually consistent reads
// are up to date then. The clock, the rules and the log stay as they are.
func (db *DB) Restore(s *Snapshot) {
	db.testing().Helper()
	if s == nil || s.state == nil {
		db.report(errors.New("Restore: there is no snapshot"))
		return
	}
	db.catchUp() // what was due was done to what is replaced
	db.tape.during(func(e *event) {
		db.store.Restore(s.state)
		e.Kind, e.Snapshot = eventRestore, db.tape.find(s)
	})
}

// Fork makes a database of its own that holds the same and shows the same time; in a bubble of testing/synctest, one made outside goes on from the
// last time that it knows. Neither sees what becomes of the other, but the fork ends with its origin. Options, lag and the limit of heat are
// copied; rules, budgets, the log, the heat and the cost are not: a fork starts without. Chance begins anew in each from the same seed, so forks
// with the same rules meet the same fate. What goes wrong with a fork fails the origin's test: see [DB.ForkFor].
func (db *DB) Fork() *DB {
	db.catchUp()
	inner := db.clock.inner.Copy()
	var fork *DB
	db.tape.during(func(e *event) {
		e.Kind = eventSweep // nothing that has to be repeated
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

// carryTime makes time go on from the last that the database knows: where it is now, another time is told.
func (db *DB) carryTime() {
	_ = db.store.View(func(s *store.State) error {
		if s.Now.After(db.clock.Now()) {
			db.clock.inner.Advance(s.Now.Sub(db.clock.Now()))
		}
		return nil
	})
}
