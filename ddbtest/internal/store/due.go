package store

import (
	"math"
	"time"
)

// due is when the state next changes by itself, or earlier: whoever looks then finds nothing, and knows better.
type due struct {
	at     int64 // microseconds since 1970: of tables, indexes and streams
	expiry int64 // seconds since 1970: when the first of the items expires
}

// never is a time that does not come.
const never = math.MaxInt64

// nothing is due.
var nothing = due{never, never}

// by takes note that something happens at that time.
func (d *due) by(t time.Time) {
	if !t.IsZero() {
		d.at = min(d.at, t.UnixMicro())
	}
}

// expires takes note of an item's time.
func (d *due) expires(seconds int64) { d.expiry = min(d.expiry, seconds) }

// come tells whether it is time.
func (d due) come(now time.Time, ttlDelay time.Duration) bool {
	return d.at <= now.UnixMicro() || d.expiry <= now.Add(-ttlDelay).Unix()
}

// expect looks for all that is due, now that what was has been done.
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

// Expect takes note of the table's own times: when it is made, updated or gone, and when its indexes are.
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
