package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Retention is how long the records of a stream can be read, and how long a disabled stream exists.
const Retention = 24 * time.Hour

// Stream is the changes of the items of a table. It remains after it is disabled, and after its
// table is deleted.
type Stream struct {
	ARN      string
	Label    string
	Table    string
	Key      KeySchema
	View     string // NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES or KEYS_ONLY
	Created  time.Time
	ClosedAt time.Time // zero while it takes records

	Records btree.Tree[Change] // by [SequenceKey]
	Trimmed uint64             // the number of the last trimmed record
	Shards  []Shard            // copy on write; the last one is open while the stream is
}

// Change is a change of one item by one write.
type Change struct {
	Sequence uint64
	At       time.Time
	Old, New value.Map // nil is no item
	Expired  bool      // the service deleted it by its TTL
}

// SequenceKey returns a key that orders changes by their number.
func SequenceKey(n uint64) string {
	return string([]byte{byte(n >> 56), byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// OpenStream enables a stream for a table that has none.
func (s *State) OpenStream(t *Table, view string) {
	label, arn := s.streamName(t)
	st := &Stream{ARN: arn, Label: label, Table: t.Name, Key: t.Key, View: view, Created: s.Now}
	s.openShard(st)
	s.Streams[arn] = st
	t.Stream, t.StreamLabel, t.StreamARN = st, label, arn
}

// AddStream adds a stream with its records. If it takes records, it is that of its table.
func (s *State) AddStream(st *Stream) {
	s.Streams[st.ARN] = st
	s.addStreamDue(st)
	if t := s.Tables[st.Table]; t != nil && t.StreamARN == st.ARN && st.ClosedAt.IsZero() {
		t.Stream = st
	}
}

// streamName returns a label that no stream of the table has: the current time, or the next free
// one after it.
func (s *State) streamName(t *Table) (label, arn string) {
	for at := s.Now.UTC(); ; at = at.Add(time.Millisecond) {
		label = at.Format("2006-01-02T15:04:05.000")
		arn = t.ARN + "/stream/" + label
		if s.Streams[arn] == nil {
			return label, arn
		}
	}
}

// CloseStream disables the stream of the table, if it has one. Its records can be read until they
// are trimmed.
func (s *State) CloseStream(t *Table) {
	if t.Stream == nil {
		return
	}
	s.closeShard(t.Stream)
	t.Stream.ClosedAt = s.Now
	s.addStreamDue(t.Stream)
	t.Stream = nil
}

// record appends a change to the stream.
func (s *State) record(st *Stream, old, item value.Map, expired bool) {
	c := Change{Sequence: s.Next(), At: s.Now, Old: old, New: item, Expired: expired}
	// The time to trim it is computed when its shard is closed, which is earlier.
	st.Records.Set(SequenceKey(c.Sequence), c)
}

// sweepStream deletes what is too old to be read. It replaces a shard that has taken records for
// [shardLife] by a new one.
func (s *State) sweepStream(st *Stream) {
	if passed(st.ClosedAt, s.Now.Add(-Retention)) {
		delete(s.Streams, st.ARN)
		return
	}
	st.trim(s.Now.Add(-Retention))
	if st.ClosedAt.IsZero() && passed(st.Shards[len(st.Shards)-1].Created, s.Now.Add(-shardLife)) {
		s.closeShard(st)
		s.openShard(st)
	}
}

// trim deletes the records up to that time, and the closed shards that then have no records left.
func (st *Stream) trim(until time.Time) {
	var old []uint64
	for _, c := range st.Records.From("") {
		if c.At.After(until) {
			break
		}
		old = append(old, c.Sequence)
	}
	for _, n := range old {
		st.Records.Delete(SequenceKey(n))
		st.Trimmed = n
	}
	for len(st.Shards) > 0 && st.Shards[0].End != 0 && passed(st.Shards[0].ClosedAt, until) {
		st.Shards = st.Shards[1:]
	}
}

func (st *Stream) clone() *Stream {
	c := *st
	c.Records = *st.Records.Clone()
	return &c
}
