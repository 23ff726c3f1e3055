package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// State is everything a database holds.
type State struct {
	Tables   map[string]*Table
	Streams  map[string]*Stream // by ARN: all that can still be read
	Tokens   btree.Tree[Token]  // of transactions, by [tokenKey]
	Sequence uint64             // the last number given to a change, a table or a stream
	Now      time.Time          // of the update under way
	Lag      Lag

	before time.Time // of the update before that
	due    due
}

// Token is what is remembered of a transaction by its token.
type Token struct {
	Fingerprint string    // of the request
	Done        time.Time // when it was completed
}

// NewState is an empty database.
func NewState() *State {
	return &State{Tables: map[string]*Table{}, Streams: map[string]*Stream{}, due: nothing}
}

// Next gives a number that was never given before.
func (s *State) Next() uint64 {
	s.Sequence++
	return s.Sequence
}

// tick begins an update.
func (s *State) tick(now time.Time) { s.before, s.Now = s.Now, now }

// Put stores the item in the place of the one with its key, and returns that one, or nil. Its key and its index keys must be right.
func (s *State) Put(t *Table, item value.Map) (old value.Map) {
	return s.change(t, t.Get(item), item, false)
}

// Delete removes the item with the key, and returns it, or nil.
func (s *State) Delete(t *Table, key value.Map) (old value.Map) {
	return s.change(t, t.Get(key), nil, false)
}

func (s *State) change(t *Table, old, item value.Map, expired bool) value.Map {
	if old == nil && item == nil {
		return nil
	}
	t.keepPast(s)
	s.replaceExpiry(t, t.replace(old, item), old, item)
	if t.Stream != nil && (old == nil || item == nil || !value.Equal(old, item)) {
		s.record(t.Stream, old, item, expired)
	}
	return old
}

// Clone copies the whole state, at a cost that grows with the number of tables and indexes, not with their items.
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

// AddTable makes a table known. There must be none of its name.
func (s *State) AddTable(t *Table) {
	s.Tables[t.Name] = t
	s.Expect(t)
}

func (s *State) removeTable(t *Table) {
	s.CloseStream(t)
	delete(s.Tables, t.Name)
}
