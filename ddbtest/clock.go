package ddbtest

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/table"
)

// Clock is a database's clock: the real one, so the fake one inside a bubble of testing/synctest, and what [Clock.Advance] added to it.
// All that takes time goes by it: TTL, the tokens of transactions, the 24 hours of a stream, tables being made, lag, heat and delays.
type Clock struct {
	db    *DB
	inner *clock.Clock
}

// Clock returns the database's clock.
func (db *DB) Clock() *Clock { return &db.clock }

// Now is the clock's time.
func (c *Clock) Now() time.Time { return c.inner.Now() }

// Advance sets the clock forward, as if so much time had gone by at once, and does what has become due: items expire, delayed requests go on.
// An item is deleted as of the time when that was due, which its stream's record tells; where one was due more than a
// day ago, for which a stream keeps records, that one and all after it are deleted as of now. A negative time sets the clock back, as a machine's clock may be corrected.
func (c *Clock) Advance(d time.Duration) {
	c.inner.Advance(d)
	c.db.catchUp()
}

// catchUp does what time has made due.
func (db *DB) catchUp() {
	db.deliverDue()
	if !db.store.Overdue(db.config.TTLDelay) {
		return
	}
	if db.tape == nil {
		db.sweep()
		return
	}
	db.tape.during(func(e *event) { e.Kind = eventSweep }) // which sweeps
}

// sweep lets items expire, tables be ready or gone, and streams be trimmed.
func (db *DB) sweep() { table.Sweep(db.store, db.config) }
