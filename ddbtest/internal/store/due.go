package store

import (
	"math"
	"time"
)

// due is a lower bound of the time when the state next changes by itself. A check at that time may
// find nothing to do; it then computes the next time.
type due struct {
	at     int64 // microseconds since 1970: tables, indexes and streams
	expiry int64 // seconds since 1970: the first expiry of an item
}

// never is later than any time.
const never = math.MaxInt64

// nothing is the due of a state that does not change by itself.
var nothing = due{never, never}

// by adds a time at which something changes.
func (d *due) by(t time.Time) {
	if !t.IsZero() {
		d.at = min(d.at, t.UnixMicro())
	}
}

// expires adds the expiry of an item.
func (d *due) expires(seconds int64) { d.expiry = min(d.expiry, seconds) }

// come reports whether one of the times has come.
func (d due) come(now time.Time, ttlDelay time.Duration) bool {
	return d.at <= now.UnixMicro() || d.expiry <= now.Add(-ttlDelay).Unix()
}

// expect computes due again, after all changes that were due are done.
func (s *State) expect(ttlDelay time.Duration) {
	s.due = nothing
	for _, t := range s.Tables {
		s.Expect(t)
		if seconds, ok := t.nextExpiry(s.Now, ttlDelay); ok {
			s.due.expires(seconds)
		}
	}
	for _, st := range s.Streams {
		s.expectStream(st)
	}
}

// Expect adds the times of a table and of its indexes: when each becomes active, is updated, or is
// deleted.
func (s *State) Expect(t *Table) {
	s.due.by(t.ActiveAt)
	s.due.by(t.UpdatedAt)
	s.due.by(t.DeleteAt)
	for _, ix := range t.Indexes {
		s.due.by(ix.ActiveAt)
		s.due.by(ix.UpdatedAt)
		s.due.by(ix.DeleteAt)
	}
}

func (s *State) expectStream(st *Stream) {
	for _, c := range st.Records.From("") {
		s.due.by(c.At.Add(Retention))
		break
	}
	for _, sh := range st.Shards {
		switch {
		case sh.End != 0:
			s.due.by(sh.ClosedAt.Add(Retention))
		case st.ClosedAt.IsZero():
			s.due.by(sh.Created.Add(shardLife))
		}
	}
	if !st.ClosedAt.IsZero() {
		s.due.by(st.ClosedAt.Add(Retention))
	}
}
