package ddbtest

import (
	"errors"
	"time"
)

// A bubble of testing/synctest has a clock of its own, which begins in the year 2000. Used on both
// sides of a bubble, the clock of a database would jump: items expire, and streams are trimmed.

// inBubble reports whether a time of time.Now is that of a bubble. Only such a time has no
// monotonic clock reading. This needs no channel and no timer of the bubble, which end the program
// when they are used outside.
func inBubble(now time.Time) bool {
	return now == now.Round(0) //nolint:staticcheck // Equal ignores the monotonic reading
}

var (
	errUsedInBubble = errors.New("the database was made outside the bubble of testing/synctest in which it is used, " +
		"where the time begins in the year 2000: make the database in the bubble, or use a fork that is made there by db.ForkFor(t)")
	errUsedOutside = errors.New("the database was made in a bubble of testing/synctest and is used outside of it, " +
		"where the time is another one: use it in the bubble, or use a fork that is made outside by db.ForkFor(t)")
)

// misplaced returns an error if the database was made on the other side of a bubble. now is the
// caller's time of time.Now.
func (db *DB) misplaced(now time.Time) error {
	switch is := inBubble(now); {
	case is == db.inBubble:
		return nil
	case is:
		return errUsedInBubble
	default:
		return errUsedOutside
	}
}

// checkPlace reports once that the database was made on the other side of a bubble.
func (db *DB) checkPlace() error { return db.checkPlaceAt(time.Now()) }

// checkPlaceAt is [DB.checkPlace] with the caller's time of time.Now.
func (db *DB) checkPlaceAt(now time.Time) error {
	err := db.misplaced(now)
	if err != nil && !db.misplacement.Swap(true) {
		db.test().Helper()
		db.report(err)
	}
	return err
}
