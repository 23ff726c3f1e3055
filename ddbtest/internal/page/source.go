package page

import (
	"iter"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// source is the table or the index that a page is read from.
type source struct {
	table *store.Table
	index *store.Index // nil for the table itself
	key   store.KeySchema
	tree  *btree.Tree[value.Map]
}

// openSource finds the source of a request.
func (q request) openSource(c *engine.Call, s *store.State) (source, error) {
	now := c.ReadTime(s)
	t, err := c.Find(s, q.table, now)
	if err != nil {
		return source{}, err
	}
	if q.index == nil {
		return source{table: t, key: t.Key, tree: s.Items(t, now, q.consistent)}, nil
	}
	if q.statement && !t.HasIndex(*q.index) {
		return source{}, awserr.Validation("The table does not have the specified index")
	}
	ix, err := t.FindIndex(*q.index, now)
	if err != nil {
		return source{}, err
	}
	switch {
	case ix.Local || !q.consistent:
	case q.statement:
		return source{}, awserr.Validation("Strongly consistent read is not supported on Global Secondary Indexes")
	default:
		return source{}, awserr.Validation("Consistent reads are not supported on global secondary indexes")
	}
	c.Trace.Index = ix.Name
	return source{table: t, index: ix, key: ix.Key, tree: s.Entries(t, ix, now, q.consistent)}, nil
}

// place returns the encoded key of an item, or of a start key with all its attributes.
func (s source) place(item value.Map) string {
	if s.index != nil {
		return s.index.Place(item)
	}
	return s.key.Place(item)
}

// position returns the LastEvaluatedKey for an item: the key of the table, and of the index.
func (s source) position(item value.Map) value.Map {
	names := make([]string, 0, 8)
	for _, a := range s.key.All() {
		names = append(names, a.Name)
	}
	if s.index != nil {
		for _, a := range s.table.Key.All() {
			names = append(names, a.Name)
		}
	}
	return item.Pick(names...)
}

// positionSize returns the number of attributes of a position.
func (s source) positionSize() int {
	n := s.key.Len()
	if s.index == nil {
		return n
	}
	for _, a := range s.table.Key.All() {
		if !s.key.Has(a.Name) {
			n++
		}
	}
	return n
}

// keyRange is a range of encoded keys: from lo, before hi. An empty hi means no upper bound.
type keyRange struct{ lo, hi string }

func (r keyRange) contains(place string) bool { return place >= r.lo && (r.hi == "" || place < r.hi) }

// read yields the items in the range, in either direction.
func (s source) read(r keyRange, forward bool) iter.Seq2[string, value.Map] {
	return func(yield func(string, value.Map) bool) {
		for place, item := range s.entries(r, forward) {
			if !r.contains(place) || !yield(place, item) {
				return
			}
		}
	}
}

func (s source) entries(r keyRange, forward bool) iter.Seq2[string, value.Map] {
	switch {
	case forward:
		return s.tree.From(r.lo)
	case r.hi == "":
		return s.tree.Last()
	default:
		return s.tree.Before(r.hi)
	}
}

// after narrows the range to the keys after a position, in the direction of the read.
func (r keyRange) after(place string, forward bool) keyRange {
	if forward {
		return keyRange{max(r.lo, place+"\x00"), r.hi}
	}
	if r.hi == "" || place < r.hi {
		r.hi = place
	}
	return r
}
