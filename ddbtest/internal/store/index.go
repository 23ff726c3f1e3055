package store

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Index is a secondary index. Its entries are the table's own items, in the index's order: what it projects is cut out when it is read.
type Index struct {
	Name       string
	Local      bool
	Key        KeySchema
	Projection Projection
	Throughput Throughput
	OnDemand   OnDemand
	Warm       Warm
	ActiveAt   time.Time // until when it is being made; zero once it is
	UpdatedAt  time.Time // until when it is being updated; zero once it is
	DeleteAt   time.Time // when it is gone; zero where it stays

	table   *Table
	names   []string // of the attributes that entries hold, sorted, where that is not all
	entries btree.Tree[value.Map]
	size    int64
}

// in makes it an index of the table.
func (ix *Index) in(t *Table) {
	ix.table = t
	if ix.Projection.Type == "ALL" {
		return
	}
	for _, a := range append(ix.Key.All(), t.Key.All()...) {
		ix.names = append(ix.names, a.Name)
	}
	if ix.Projection.Type == "INCLUDE" {
		ix.names = append(ix.names, ix.Projection.Names...)
	}
	slices.Sort(ix.names)
	ix.names = slices.Compact(ix.names)
}

// Len is how many entries the index has.
func (ix *Index) Len() int { return ix.entries.Len() }

// Size is the bytes of all entries.
func (ix *Index) Size() int64 { return ix.size }

// Holds tells whether the item has an entry here: whether it has every attribute of the index's key, each fit for a key. Items that were there
// before the index may have others; they stay out of it.
func (ix *Index) Holds(item value.Map) bool {
	return item != nil && ix.Key.Holds(item) && ix.Key.fits(item)
}

// Place is the place of the item's entry: the index's key, then the table's, which makes it the only one there.
func (ix *Index) Place(item value.Map) []byte {
	place := ix.Key.Place(item)
	place = appendKeys(place, ix.table.Key.Partition, item)
	return appendKeys(place, ix.table.Key.Sort, item)
}

// Projects tells whether entries hold the attribute.
func (ix *Index) Projects(name string) bool {
	if ix.Projection.Type == "ALL" {
		return true
	}
	_, found := slices.BinarySearch(ix.names, name)
	return found
}

// Project cuts out of an item what its entry holds.
func (ix *Index) Project(item value.Map) value.Map {
	if ix.Projection.Type == "ALL" {
		return item
	}
	entry := make(value.Map, 0, len(ix.names))
	for _, name := range ix.names { // and not of the item, which may have any number
		if v := item.Get(name); v != nil {
			entry = append(entry, value.Attribute{Name: name, Value: v})
		}
	}
	return entry
}

// EntrySize is the bytes of the item's entry, or 0 where it has none.
func (ix *Index) EntrySize(item value.Map) int {
	switch {
	case !ix.Holds(item):
		return 0
	case ix.Projection.Type == "ALL":
		return item.Size()
	}
	size := 0
	for _, name := range ix.names {
		if v := item.Get(name); v != nil {
			size += len(name) + value.Size(v)
		}
	}
	return size
}

// replace moves an item's entry from its old state to its new one; nil is no item.
func (ix *Index) replace(old, item value.Map) {
	was, is := ix.Holds(old), ix.Holds(item)
	var oldPlace, place string
	if was {
		oldPlace = string(ix.Place(old))
		ix.size -= int64(ix.EntrySize(old))
	}
	if is {
		place = string(ix.Place(item))
		ix.size += int64(ix.EntrySize(item))
	}
	if was && oldPlace != place {
		ix.entries.Delete(oldPlace)
	}
	if is {
		ix.entries.Set(place, item)
	}
}

// clone copies the index for a copy of its table.
func (ix *Index) clone(t *Table) *Index {
	c := *ix
	c.table = t
	c.entries = *ix.entries.Clone()
	return &c
}
