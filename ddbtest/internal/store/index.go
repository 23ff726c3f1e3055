package store

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Index is a secondary index. Its entries are the items of the table in the order of the index. A
// read projects them.
type Index struct {
	Name       string
	Local      bool
	Key        KeySchema
	Projection Projection
	Throughput Throughput
	Limit      OnDemandLimit
	Warm       WarmThroughput // as of a table
	ActiveAt   time.Time      // end of the creation; zero afterwards
	UpdatedAt  time.Time      // end of the update; zero afterwards
	DeleteAt   time.Time      // when it is deleted; zero if it is not

	table   *Table
	names   []string // of the projected attributes, sorted; nil if all are projected
	entries btree.Tree[value.Map]
	size    int64
}

// attach makes ix an index of the table.
func (ix *Index) attach(t *Table) {
	ix.table = t
	if ix.Projection.Type == "ALL" {
		return
	}
	for _, a := range slices.Concat(ix.Key.Attributes(), t.Key.Attributes()) {
		ix.names = append(ix.names, a.Name)
	}
	if ix.Projection.Type == "INCLUDE" {
		ix.names = append(ix.names, ix.Projection.Names...)
	}
	slices.Sort(ix.names)
	ix.names = slices.Compact(ix.names)
}

// Len returns the number of entries.
func (ix *Index) Len() int { return ix.entries.Len() }

// Size returns the bytes of all entries.
func (ix *Index) Size() int64 { return ix.size }

// Holds reports whether the item has an entry: it must have every attribute of the index key, with
// a value that is valid in a key. Items older than the index may have invalid values, and have no
// entry then.
func (ix *Index) Holds(item value.Map) bool {
	return item != nil && ix.Key.Accepts(item)
}

// Place returns the place of the item's entry: the index key followed by the table key, which makes
// it unique.
func (ix *Index) Place(item value.Map) string {
	var buffer [2 * usualPlace]byte
	place := appendKeys(ix.Key.appendPartition(buffer[:0], item), ix.Key.Sort, item)
	place = appendKeys(place, ix.table.Key.Partition, item)
	return string(appendKeys(place, ix.table.Key.Sort, item))
}

// Projects reports whether entries contain the attribute.
func (ix *Index) Projects(name string) bool {
	if ix.Projection.Type == "ALL" {
		return true
	}
	_, found := slices.BinarySearch(ix.names, name)
	return found
}

// Project returns the attributes of the item that the index projects.
func (ix *Index) Project(item value.Map) value.Map {
	if ix.Projection.Type == "ALL" {
		return item
	}
	entry := make(value.Map, 0, len(ix.names))
	// Ranging over the item instead would be slower, since it may have any number of attributes.
	for _, name := range ix.names {
		if v := item.Get(name); v != nil {
			entry = append(entry, value.Attribute{Name: name, Value: v})
		}
	}
	return entry
}

// EntrySize returns the bytes of the item's entry, or 0 if there is none.
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

// replace replaces the entry of old by the entry of item. nil is no item.
func (ix *Index) replace(old, item value.Map) {
	was, is := ix.Holds(old), ix.Holds(item)
	var oldPlace, place string
	if was {
		oldPlace = ix.Place(old)
		ix.size -= int64(ix.EntrySize(old))
	}
	if is {
		place = ix.Place(item)
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
