package store

import (
	"maps"
	"slices"
	"sort"
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

// SetLag changes the lag. What was seen stays seen: no read goes back in time.
func (s *State) SetLag(lag Lag) {
	for _, t := range s.Tables {
		t.pastItems.change(s.Now, s.Lag.Items, lag.Items)
		t.pastIndexes.change(s.Now, s.Lag.Indexes, lag.Indexes)
	}
	s.Lag = lag
}

// Settle brings all stale reads up to date.
func (s *State) Settle() {
	for _, t := range s.Tables {
		t.pastItems, t.pastIndexes = nil, nil
	}
}

// version is a table's items, or its indexes' entries, as they were until a moment.
type version struct {
	until   time.Time
	items   *btree.Tree[value.Map]
	entries map[string]*btree.Tree[value.Map] // by index
}

// past is the versions that stale reads see or are yet to see, the oldest first.
type past []version

// first is the place of the version that a read with the lag sees; there is none where it sees the present.
func (p past) first(now time.Time, lag time.Duration) int {
	switch lag {
	case 0:
		return len(p)
	case Forever:
		return 0
	}
	return sort.Search(len(p), func(i int) bool { return now.Sub(p[i].until) < lag })
}

// at is that version, or nil.
func (p past) at(now time.Time, lag time.Duration) *version {
	if i := p.first(now, lag); i < len(p) {
		return &p[i]
	}
	return nil
}

// keep keeps what make returns, the present before a change, for as long as a read with the lag may ask for it. Of several changes at one moment
// only the first one's is ever seen, and of a lag without end only the oldest version.
func (p *past) keep(now time.Time, lag time.Duration, present func() version) {
	*p = (*p)[p.first(now, lag):]
	n := len(*p)
	if lag == 0 || n > 0 && (lag == Forever || (*p)[n-1].until.Equal(now)) {
		return
	}
	v := present()
	v.until = now
	*p = append(*p, v)
}

// change lets go of what a read with the old lag sees no more, and of what one with the new lag will never see.
func (p *past) change(now time.Time, old, lag time.Duration) {
	*p = (*p)[p.first(now, old):]
	switch {
	case lag == 0:
		*p = nil
	case lag == Forever && len(*p) > 1:
		*p = (*p)[:1:1]
	}
}

// keepPast keeps the table as it is now, before a change.
func (t *Table) keepPast(s *State) {
	t.pastItems.keep(s.Now, s.Lag.Items, func() version {
		return version{items: t.items.Clone(), entries: t.entries(true)}
	})
	t.pastIndexes.keep(s.Now, s.Lag.Indexes, func() version {
		return version{entries: t.entries(false)}
	})
}

// entries copies the entries of the local or of the global indexes.
func (t *Table) entries(local bool) map[string]*btree.Tree[value.Map] {
	entries := make(map[string]*btree.Tree[value.Map], len(t.Indexes))
	for _, ix := range t.Indexes {
		if ix.Local == local {
			entries[ix.Name] = ix.entries.Clone()
		}
	}
	return entries
}

// with gives a new index, as it is filled, to all that stale reads see: writes from now on reach it late. A copy of the table may share the versions.
func (p past) with(ix *Index) past {
	p = slices.Clone(p)
	for i, v := range p {
		p[i].entries = maps.Clone(v.entries)
		p[i].entries[ix.Name] = ix.entries.Clone()
	}
	return p
}

// Items returns the table's items as a read at that time sees them.
func (s *State) Items(t *Table, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if !consistent {
		if v := t.pastItems.at(now, s.Lag.Items); v != nil {
			return v.items
		}
	}
	return &t.items
}

// Entries returns the index's entries as a read at that time sees them. They are whole items: [Index.Project] cuts out what the index holds.
func (s *State) Entries(t *Table, ix *Index, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if consistent {
		return &ix.entries
	}
	kept, lag := t.pastIndexes, s.Lag.Indexes
	if ix.Local {
		kept, lag = t.pastItems, s.Lag.Items
	}
	if v := kept.at(now, lag); v != nil {
		return v.entries[ix.Name]
	}
	return &ix.entries
}
