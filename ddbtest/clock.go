package ddbtest

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/table"
)

// Clock is the clock of a database: the real time, or the fake time inside a bubble of
// testing/synctest, plus what [Clock.Advance] added. TTL, transaction tokens, the 24 hours of a
// stream, the creation of tables, lag, heat and delays use it.
type Clock struct {
	db    *DB
	inner *clock.Clock
}

// Clock returns the database's clock.
func (db *DB) Clock() *Clock { return &db.clock }

// Now returns the clock's time.
func (c *Clock) Now() time.Time { return c.inner.Now() }

// Advance moves the clock forward by d, then runs everything that is due: it deletes expired items
// and releases delayed requests. A negative d moves the clock back, like a correction of a
// machine's clock.
//
// The stream record of an expired item has the time at which the deletion was due. If a deletion
// was due more than 24 hours ago, the retention of a stream, that item and all later ones are
// deleted as of the present time.
func (c *Clock) Advance(d time.Duration) {
	c.inner.Advance(d)
	c.db.catchUp()
}

// catchUp runs everything that is due.
func (db *DB) catchUp() {
	db.deliverDue()
	if !db.store.Overdue(db.config.TTLDelay) {
		return
	}
	if db.tape == nil {
		db.sweep()
		return
	}
	db.tape.during(func(e *event) { e.Kind = eventSweep }) // during calls sweep
}

// sweep deletes expired items, completes pending table changes, and trims streams.
func (db *DB) sweep() { table.Sweep(db.store, db.config) }
