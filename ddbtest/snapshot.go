package ddbtest

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Snapshot is what a database held at a moment: its tables, their items, streams and settings. It never changes.
type Snapshot struct{ state *store.State }

// Snapshot keeps what the database holds, at a cost that does not grow with it.
func (db *DB) Snapshot() *Snapshot {
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
	db.tape.during(func(e *event) {
		db.store.Restore(s.state)
		e.Kind, e.Snapshot = eventRestore, db.tape.find(s)
	})
}

// Fork makes a database of its own that holds the same and shows the same time. Neither sees what becomes of the other. Options and lag are
// copied; rules, budgets, the log and the cost are not: a fork starts without. What goes wrong with it fails the origin's test.
func (db *DB) Fork() *DB {
	inner := new(clock.Clock)
	s := store.NewDB(inner)
	fork := newDB(db.options, inner, s)
	fork.clock.skip(time.Duration(db.clock.skipped.Load()))
	db.tape.during(func(e *event) {
		e.Kind = eventSweep // nothing that has to be repeated
		state := db.store.Snapshot()
		s.Restore(state)
		fork.change(func(s *store.State) { s.Lag = state.Lag })
		if db.tape != nil {
			fork.tape = db.tape.fork(fork)
		}
	})
	fork.origin = db
	return fork
}
