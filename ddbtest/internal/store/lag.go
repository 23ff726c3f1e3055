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

// Lag is the delay with which eventually consistent reads see writes.
type Lag struct {
	Items   time.Duration // of the table and its local indexes
	Indexes time.Duration // of global indexes
}

// SetLag changes the lag. Reads never see an older version than an earlier read did.
func (s *State) SetLag(lag Lag) {
	for _, t := range s.Tables {
		t.itemVersions.setLag(s.Now, s.Lag.Items, lag.Items)
		t.indexVersions.setLag(s.Now, s.Lag.Indexes, lag.Indexes)
	}
	s.Lag = lag
}

// Settle makes stale reads see the current state.
func (s *State) Settle() {
	for _, t := range s.Tables {
		t.itemVersions, t.indexVersions = nil, nil
	}
}

// version is the items of a table, or the entries of its indexes, until a point in time.
type version struct {
	until   time.Time
	items   *btree.Tree[value.Map]
	entries map[string]*btree.Tree[value.Map] // by index name
}

// versions is the versions that stale reads see now or later, oldest first.
type versions []version

// first returns the index of the version that a read with the lag sees, or len(p) if it sees the
// current state.
func (p versions) first(now time.Time, lag time.Duration) int {
	switch lag {
	case 0:
		return len(p)
	case Forever:
		return 0
	}
	return sort.Search(len(p), func(i int) bool { return now.Sub(p[i].until) < lag })
}

// at returns the version that a read with the lag sees, or nil if it sees the current state.
func (p versions) at(now time.Time, lag time.Duration) *version {
	if i := p.first(now, lag); i < len(p) {
		return &p[i]
	}
	return nil
}

// keep stores the current version, returned by present, before a change. It stays as long as a read
// with the lag may see it. Of several changes at the same time only the first version is stored.
// With the lag Forever only the oldest version is stored.
func (p *versions) keep(now time.Time, lag time.Duration, present func() version) {
	*p = (*p)[p.first(now, lag):]
	n := len(*p)
	if lag == 0 || n > 0 && (lag == Forever || (*p)[n-1].until.Equal(now)) {
		return
	}
	v := present()
	v.until = now
	*p = append(*p, v)
}

// setLag drops the versions that reads with the old lag no longer see, and those that reads with
// the new lag will never see.
func (p *versions) setLag(now time.Time, old, lag time.Duration) {
	*p = (*p)[p.first(now, old):]
	switch {
	case lag == 0:
		*p = nil
	case lag == Forever && len(*p) > 1:
		*p = (*p)[:1:1]
	}
}

// keepVersions stores the current version of the table before a change.
func (t *Table) keepVersions(s *State) {
	t.itemVersions.keep(s.Now, s.Lag.Items, func() version {
		return version{items: t.items.Clone(), entries: t.entries(true)}
	})
	t.indexVersions.keep(s.Now, s.Lag.Indexes, func() version {
		return version{entries: t.entries(false)}
	})
}

// entries returns copies of the entries of the local or of the global indexes.
func (t *Table) entries(local bool) map[string]*btree.Tree[value.Map] {
	entries := make(map[string]*btree.Tree[value.Map], len(t.Indexes))
	for _, ix := range t.Indexes {
		if ix.Local == local {
			entries[ix.Name] = ix.entries.Clone()
		}
	}
	return entries
}

// with adds a new index, with its current entries, to all versions. Later writes to it lag. The
// slice and the maps are copied, because a copy of the table may share them.
func (p versions) with(ix *Index) versions {
	p = slices.Clone(p)
	for i, v := range p {
		p[i].entries = maps.Clone(v.entries)
		p[i].entries[ix.Name] = ix.entries.Clone()
	}
	return p
}

// Items returns the items of the table as seen by a read at that time.
func (s *State) Items(t *Table, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if !consistent {
		if v := t.itemVersions.at(now, s.Lag.Items); v != nil {
			return v.items
		}
	}
	return &t.items
}

// Entries returns the entries of the index as seen by a read at that time. They are whole items:
// [Index.Project] returns the projected attributes.
func (s *State) Entries(t *Table, ix *Index, now time.Time, consistent bool) *btree.Tree[value.Map] {
	if consistent {
		return &ix.entries
	}
	kept, lag := t.indexVersions, s.Lag.Indexes
	if ix.Local {
		kept, lag = t.itemVersions, s.Lag.Items
	}
	if v := kept.at(now, lag); v != nil {
		return v.entries[ix.Name]
	}
	return &ix.entries
}
