package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// DB guards a state: readers share it, a writer has it alone.
type DB struct {
	Clock *clock.Clock

	mu    sync.RWMutex
	state *State

	dueAt, dueExpiry atomic.Int64 // the state's, for who has no lock
}

// NewDB is an empty database whose time comes from the clock.
func NewDB(c *clock.Clock) *DB {
	db := &DB{Clock: c, state: NewState()}
	db.publish()
	return db
}

// publish lets it be seen without the lock what is due.
func (db *DB) publish() {
	db.dueAt.Store(db.state.due.at)
	db.dueExpiry.Store(db.state.due.expiry)
}

// Overdue tells whether the state has something to do.
func (db *DB) Overdue(ttlDelay time.Duration) bool {
	d := due{at: db.dueAt.Load(), expiry: db.dueExpiry.Load()}
	return d != nothing && d.come(db.Clock.Now(), ttlDelay)
}

// View calls f with the state, which f may only read, and keep nothing of but values.
func (db *DB) View(f func(*State) error) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return f(db.state)
}

// Update calls f with the state for itself. What f changed stays even if it returns an error: it must check before it changes anything.
func (db *DB) Update(f func(*State) error) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	db.state.tick(db.Clock.Now())
	return f(db.state)
}

// Snapshot copies the state, and settles the copy; see [State.Clone]. The origin's trees are told of it, so it needs the lock for itself.
func (db *DB) Snapshot() *State {
	db.mu.Lock()
	defer db.mu.Unlock()
	snapshot := db.state.Clone()
	snapshot.Settle()
	return snapshot
}

// Fork is another database with a copy of the state, in which stale reads see the same too.
func (db *DB) Fork(c *clock.Clock) *DB {
	db.mu.Lock()
	defer db.mu.Unlock()
	fork := &DB{Clock: c, state: db.state.Clone()}
	fork.publish()
	return fork
}

// Restore puts a copy of the snapshot in the place of the state; the snapshot stays as it is.
func (db *DB) Restore(snapshot *State) {
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	lag, sequence := db.state.Lag, db.state.Sequence
	db.state = snapshot.Clone()
	db.state.Lag = lag
	db.state.Sequence = max(sequence, db.state.Sequence) // no number is given twice: who reads a stream goes by them
}
