package ddbtest

import (
	"fmt"
	"math"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Now returns the time of the database's clock: the real time, or the fake time inside a bubble of
// testing/synctest, plus what [DB.Advance] added. TTL, transaction tokens, the 24 hours of a
// stream, the creation of tables, lag, the load of partitions and delays use this clock.
func (db *DB) Now() time.Time {
	db.test().Helper()
	_ = db.checkPlace()
	return db.data.Clock.Now()
}

// Advance moves the database's clock forward by d, then deletes the items that have expired and
// continues the requests whose delay has ended. A negative d moves the clock back, like a
// correction of a machine's clock. All calls together move it by at most 292 years, the range of a
// [time.Duration]. Advance does not move time.Now: code that compares times must read [DB.Now], as
// Trestle does if its table is opened with entity.Clock(db.Now).
//
// The stream record of an expired item has the time at which the deletion was due. A stream retains
// records for 24 hours. If a deletion was due earlier than that, the records of that item and of
// all later ones have the current time.
func (db *DB) Advance(d time.Duration) {
	db.test().Helper()
	if db.checkPlace() != nil {
		return
	}
	db.data.Clock.Advance(d)
	db.runDue()
}

// runDue runs everything that is due, and stores what it changed. On the other side of a bubble the
// time is another one, and it does nothing.
func (db *DB) runDue() {
	if db.misplaced(time.Now()) != nil {
		return
	}
	db.deliverDue()
	db.data.SweepOverdue()
	db.keepUnlessClosed()
}

// Lag is how far eventually consistent reads lag behind the writes. Strongly consistent reads have
// no lag. With a finite lag, the database keeps the state before each write within the lag, which
// takes some kilobytes for each write.
type Lag struct {
	Items   time.Duration // of a table and its local indexes
	Indexes time.Duration // of its global indexes
}

// UntilSettled is a lag that ends only with [DB.Settle].
const UntilSettled time.Duration = math.MaxInt64

func (l Lag) check() error {
	if l.Items < 0 || l.Indexes < 0 {
		return fmt.Errorf("%s and %s: a lag is negative", l.Items, l.Indexes)
	}
	return nil
}

// SetLag sets how far eventually consistent reads lag behind.
func (db *DB) SetLag(lag Lag) {
	db.test().Helper()
	if err := lag.check(); err != nil {
		db.report(fmt.Errorf("SetLag: %w", err))
		return
	}
	if db.checkPlace() != nil {
		return
	}
	db.data.SetLag(store.Lag(lag))
}

// Lag returns how far eventually consistent reads lag behind.
func (db *DB) Lag() (lag Lag) {
	_ = db.data.Store.View(func(s *store.State) error { // cannot fail
		lag = Lag(s.Lag)
		return nil
	})
	return lag
}

// Settle makes all writes so far visible to eventually consistent reads. Later writes lag as
// before.
func (db *DB) Settle() {
	db.test().Helper()
	if db.checkPlace() != nil {
		return
	}
	db.runDue()
	db.data.Settle()
}
