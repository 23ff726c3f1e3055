package store

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Forever is a lag that ends only when the state is settled.
const Forever time.Duration = 1<<63 - 1

// Lag is how far eventually consistent reads are behind.
type Lag struct {
	Items   time.Duration // of the table and its local indexes
	Indexes time.Duration // of global indexes
}

// version is the items of a table as they were until a moment.
type version struct {
	until   time.Time
	items   btree.Tree[value.Map]
	entries map[string]*btree.Tree[value.Map] // by index
}

// keepPast keeps the items as they are now, before a change, for as long as a stale read may ask for them.
func (t *Table) keepPast(s *State) {
	longest, shortest := max(s.Lag.Items, s.Lag.Indexes), min(s.Lag.Items, s.Lag.Indexes)
	if longest == 0 {
		t.past = nil
		return
	}
	if longest == Forever && (shortest == 0 || shortest == Forever) && len(t.past) > 0 {
		return // the oldest is all that is asked for
	}
	v := version{until: s.Now, items: *t.items.Clone(), entries: make(map[string]*btree.Tree[value.Map], len(t.Indexes))}
	for _, ix := range t.Indexes {
		v.entries[ix.Name] = ix.entries.Clone()
	}
	kept := t.past
	for len(kept) > 0 && longest != Forever && s.Now.Sub(kept[0].until) >= longest {
		kept = kept[1:]
	}
	t.past = append(kept[:len(kept):len(kept)], v)
}

// at returns the version that a read with the lag sees, or nil where that is the present one.
func (t *Table) at(now time.Time, lag time.Duration) *version {
	if lag == 0 {
		return nil
	}
	for i := range t.past {
		if lag == Forever || now.Sub(t.past[i].until) < lag {
			return &t.past[i]
		}
	}
	return nil
}

// Items returns the table's items as a read at that time sees them.
func (s *State) Items(t *Table, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if !consistent {
		if v := t.at(now, s.Lag.Items); v != nil {
			return &v.items
		}
	}
	return &t.items
}

// Entries returns the index's entries as a read at that time sees them. They are whole items: [Index.Project] cuts out what the index holds.
func (s *State) Entries(t *Table, ix *Index, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if !consistent {
		lag := s.Lag.Indexes
		if ix.Local {
			lag = s.Lag.Items
		}
		if v := t.at(now, lag); v != nil && v.entries[ix.Name] != nil {
			return v.entries[ix.Name]
		}
	}
	return &ix.entries
}

// Settle brings all stale reads up to date.
func (s *State) Settle() {
	for _, t := range s.Tables {
		t.past = nil
	}
}
