package store

import (
	"math"
	"time"
)

// dueTimes is a lower bound of the time when the state next changes by itself. A check at that time
// may find nothing to do; it then computes the next time.
type dueTimes struct {
	at     int64 // microseconds since 1970: tables, indexes and streams
	expiry int64 // seconds since 1970: the first expiry of an item
}

// never is later than any time.
const never = math.MaxInt64

// neverDue is the due of a state that does not change by itself.
var neverDue = dueTimes{never, never}

// ReadsDependOnTime reports whether the time of a read can change which items it sees.
func (s *State) ReadsDependOnTime() bool { return s.due != neverDue || s.Lag != (Lag{}) }

// add adds a time at which something changes.
func (d *dueTimes) add(t time.Time) {
	if !t.IsZero() {
		d.at = min(d.at, t.UnixMicro())
	}
}

// addExpiry adds the expiry of an item.
func (d *dueTimes) addExpiry(seconds int64) { d.expiry = min(d.expiry, seconds) }

// reached reports whether one of the times has come.
func (d dueTimes) reached(now time.Time, ttlDelay time.Duration) bool {
	return d.at <= now.UnixMicro() || d.expiry <= now.Add(-ttlDelay).Unix()
}

// updateDue computes due again, after all changes that were due are done.
func (s *State) updateDue(ttlDelay time.Duration) {
	s.due = neverDue
	for _, t := range s.Tables {
		s.AddDue(t)
		if seconds, ok := t.nextExpiry(s.Now, ttlDelay); ok {
			s.due.addExpiry(seconds)
		}
	}
	for _, st := range s.Streams {
		s.addStreamDue(st)
	}
}

// AddDue adds the times of a table and of its indexes: when each becomes active, is updated, or is
// deleted.
func (s *State) AddDue(t *Table) {
	s.due.add(t.ActiveAt)
	s.due.add(t.UpdatedAt)
	s.due.add(t.DeleteAt)
	for _, ix := range t.Indexes {
		s.due.add(ix.ActiveAt)
		s.due.add(ix.UpdatedAt)
		s.due.add(ix.DeleteAt)
	}
}

func (s *State) addStreamDue(st *Stream) {
	for _, c := range st.Records.From("") {
		s.due.add(c.At.Add(Retention))
		break
	}
	for _, sh := range st.Shards {
		switch {
		case sh.End != 0:
			s.due.add(sh.ClosedAt.Add(Retention))
		case st.ClosedAt.IsZero():
			s.due.add(sh.Created.Add(shardLife))
		}
	}
	if !st.ClosedAt.IsZero() {
		s.due.add(st.ClosedAt.Add(Retention))
	}
}
