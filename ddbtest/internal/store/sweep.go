package store

import (
	"maps"
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Sweep does all that time has made due: it ends the making and the deleting of tables and indexes, deletes the items that expired longer ago
// than the delay, and trims the streams. It costs next to nothing where nothing is due.
func (db *DB) Sweep(ttlDelay time.Duration) {
	if !db.Overdue(ttlDelay) {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	db.state.tick(db.Clock.Now())
	db.state.Sweep(ttlDelay)
}

// Sweep is [DB.Sweep] inside an update.
func (s *State) Sweep(ttlDelay time.Duration) {
	if !s.due.come(s.Now, ttlDelay) {
		return
	}
	// in the order of names, for each step may take a number: the same requests at the same times shall leave the same state
	for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
		t := s.Tables[name]
		if passed(t.DeleteAt, s.Now) {
			s.removeTable(t)
			continue
		}
		t.finish(s.Now)
		last := s.before
		for _, item := range t.expired(s.Now, ttlDelay) {
			last = s.expire(t, item, ttlDelay, last)
		}
	}
	for _, arn := range slices.Sorted(maps.Keys(s.Streams)) {
		s.sweepStream(s.Streams[arn])
	}
	s.expect(ttlDelay)
}

// expire deletes an item, and returns the time as of which it did. That is when it was due, though nobody looked then; or now, where that is so long
// ago that the stream's record would be gone already: whoever moves the clock by days wants to see it, and the service, too, may take days to
// delete an item. It is never before the change that was last: times do not go back, so all that follows is as of now as well.
func (s *State) expire(t *Table, item value.Map, ttlDelay time.Duration, last time.Time) time.Time {
	now := s.Now
	defer func() { s.Now = now }()
	seconds, _ := t.expiresAt(item)
	if at := time.Unix(seconds, 0).Add(ttlDelay); at.Before(now) && !at.Before(last) && now.Sub(at) < Retention {
		s.Now = at
	}
	s.change(t, item, nil, true)
	return s.Now
}

// finish ends what was under way until now.
func (t *Table) finish(now time.Time) {
	clearPassed(&t.ActiveAt, now)
	clearPassed(&t.UpdatedAt, now)
	for _, ix := range slices.Clone(t.Indexes) {
		clearPassed(&ix.ActiveAt, now)
		clearPassed(&ix.UpdatedAt, now)
		if passed(ix.DeleteAt, now) {
			t.removeIndex(ix.Name)
		}
	}
}

// passed tells whether a time was set and has come.
func passed(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

func clearPassed(at *time.Time, now time.Time) {
	if passed(*at, now) {
		*at = time.Time{}
	}
}
