package ddbtest

import (
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/table"
)

// Clock is a database's clock: the real one, so the fake one inside a bubble of testing/synctest, and what [Clock.Advance] added to it.
// All that takes time goes by it: TTL, the tokens of transactions, the 24 hours of a stream, tables being made, lag, heat and delays.
type Clock struct {
	db      *DB
	inner   *clock.Clock
	skipped atomic.Int64
}

// Clock returns the database's clock.
func (db *DB) Clock() *Clock { return &db.clock }

// Now is the clock's time.
func (c *Clock) Now() time.Time { return c.inner.Now() }

// Advance sets the clock forward, as if so much time had gone by at once, and does what has become due: items expire, delayed requests go on.
// A negative time sets it back, as a machine's clock may be corrected.
func (c *Clock) Advance(d time.Duration) {
	c.skip(d)
	c.db.deliverDue()
	c.db.tape.during(func(e *event) {
		e.Kind = eventSweep
		c.db.sweep()
	})
}

// skip moves the clock and does nothing else.
func (c *Clock) skip(d time.Duration) {
	c.skipped.Add(int64(d))
	c.inner.Advance(d)
}

// sweep does what time has made due.
func (db *DB) sweep() { table.Sweep(db.store, db.config) }
