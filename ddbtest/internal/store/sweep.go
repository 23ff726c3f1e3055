package store

import (
	"maps"
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Sweep does everything that is due: it completes the creation, update and deletion of tables and
// indexes, deletes the items that expired before the delay, and trims the streams. It costs almost
// nothing if nothing is due.
func (db *DB) Sweep(ttlDelay time.Duration) {
	if !db.Overdue(ttlDelay) {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	defer db.publish()
	db.state.begin(db.Clock.Now())
	db.state.Sweep(ttlDelay)
}

// Sweep is [DB.Sweep] inside an update.
func (s *State) Sweep(ttlDelay time.Duration) {
	if !s.due.reached(s.Now, ttlDelay) {
		return
	}
	// in the order of names: each step may take a sequence number, and equal requests at equal
	// times must give equal states
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
	s.updateDue(ttlDelay)
}

// expire deletes an item and returns the time of the deletion. That is the time when the deletion
// was due, even if nothing happened then. It is the current time if the record would already be
// trimmed from the stream: a test that advances the clock by days expects to see it, and the
// service may take days to delete an item, too. It is also the current time if the deletion was due
// before the last change, so that times do not go backward.
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

// finish completes creations, updates and deletions up to now.
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

// passed reports whether a time is set and has come.
func passed(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

func clearPassed(at *time.Time, now time.Time) {
	if passed(*at, now) {
		*at = time.Time{}
	}
}
