package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// DB guards a State: readers share it, a writer has exclusive access.
type DB struct {
	Clock *clock.Clock

	mu    sync.RWMutex
	state *State

	dueAt, dueExpiry atomic.Int64 // copies of the state's due, readable without the lock
	version          atomic.Uint64
}

// NewDB returns an empty database that takes its time from the clock.
func NewDB(c *clock.Clock) *DB {
	db := &DB{Clock: c, state: NewState()}
	db.publish()
	return db
}

// Version is a number that each update increases, even one that changes nothing.
func (db *DB) Version() uint64 { return db.version.Load() }

// publish ends an update: it increases the version, and makes the due times readable without the
// lock.
func (db *DB) publish() {
	db.version.Add(1)
	db.dueAt.Store(db.state.due.at)
	db.dueExpiry.Store(db.state.due.expiry)
}

// Overdue reports whether the state has changes that are due.
func (db *DB) Overdue(ttlDelay time.Duration) bool {
	d := dueTimes{at: db.dueAt.Load(), expiry: db.dueExpiry.Load()}
	return d != neverDue && d.reached(db.Clock.Now(), ttlDelay)
}

// View calls f with the state. f may only read it, and may retain nothing but values.
func (db *DB) View(f func(*State) error) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return f(db.state)
}

// Update calls f with exclusive access to the state. Changes remain even if f returns an error, so
// f must validate before it changes anything.
func (db *DB) Update(f func(*State) error) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	db.state.begin(db.Clock.Now())
	return f(db.state)
}

// Snapshot returns a settled copy of the state; see [State.Clone] and [State.Settle]. Cloning marks
// the original trees, so it needs the exclusive lock.
func (db *DB) Snapshot() *State {
	snapshot, _ := db.SnapshotVersion()
	return snapshot
}

// SnapshotVersion is [DB.Snapshot] with the version of the state.
func (db *DB) SnapshotVersion() (*State, uint64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	snapshot := db.state.Clone()
	snapshot.Settle()
	return snapshot, db.Version()
}

// Fork returns another database with a copy of the state. Stale reads of both see the same.
func (db *DB) Fork(c *clock.Clock) *DB {
	db.mu.Lock()
	defer db.mu.Unlock()
	fork := &DB{Clock: c, state: db.state.Clone()}
	fork.publish()
	return fork
}

// Restore replaces the state by a copy of the snapshot. The snapshot remains unchanged.
func (db *DB) Restore(snapshot *State) {
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	lag, sequence := db.state.Lag, db.state.Sequence
	db.state = snapshot.Clone()
	db.state.Lag = lag
	// Sequence numbers are never reused, because readers of a stream depend on them.
	db.state.Sequence = max(sequence, db.state.Sequence)
}
