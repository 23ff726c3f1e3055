package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// State is everything that a database holds.
type State struct {
	Tables   map[string]*Table
	Streams  map[string]*Stream // by ARN: all that can still be read
	Tokens   btree.Tree[Token]  // of transactions, by [tokenKey]
	Sequence uint64             // last number given to a change, a table or a stream
	Now      time.Time          // time of the current update
	Lag      Lag

	before time.Time // time of the previous update
	due    dueTimes
}

// Token is what is stored for the client request token of a transaction.
type Token struct {
	Fingerprint string    // of the request
	Done        time.Time // when the transaction completed
}

// NewState returns an empty state.
func NewState() *State {
	return &State{Tables: map[string]*Table{}, Streams: map[string]*Stream{}, due: neverDue}
}

// Next returns a new sequence number.
func (s *State) Next() uint64 {
	s.Sequence++
	return s.Sequence
}

// begin starts an update.
func (s *State) begin(now time.Time) { s.before, s.Now = s.Now, now }

// Put stores the item, and returns the item that it replaces, or nil. The keys of the item must be
// valid.
func (s *State) Put(t *Table, item value.Map) (old value.Map) {
	return s.change(t, t.Get(item), item, false)
}

// Delete deletes the item with the key, and returns it, or nil.
func (s *State) Delete(t *Table, key value.Map) (old value.Map) {
	return s.change(t, t.Get(key), nil, false)
}

func (s *State) change(t *Table, old, item value.Map, expired bool) value.Map {
	if old == nil && item == nil {
		return nil
	}
	t.keepVersions(s)
	s.replaceExpiry(t, t.replace(old, item), old, item)
	if t.Stream != nil && (old == nil || item == nil || !value.Equal(old, item)) {
		s.record(t.Stream, old, item, expired)
	}
	return old
}

// Clone copies the whole state. The cost depends on the number of tables and indexes, not on the
// number of items.
func (s *State) Clone() *State {
	c := *s
	c.Tokens = *s.Tokens.Clone()
	c.Tables = make(map[string]*Table, len(s.Tables))
	c.Streams = make(map[string]*Stream, len(s.Streams))
	for arn, st := range s.Streams {
		c.Streams[arn] = st.clone()
	}
	for name, t := range s.Tables {
		ct := t.clone()
		if t.Stream != nil {
			ct.Stream = c.Streams[t.Stream.ARN]
		}
		c.Tables[name] = ct
	}
	return &c
}

// AddTable adds a table. No table may have the same name.
func (s *State) AddTable(t *Table) {
	s.Tables[t.Name] = t
	s.AddDue(t)
}

func (s *State) removeTable(t *Table) {
	s.CloseStream(t)
	delete(s.Tables, t.Name)
}
