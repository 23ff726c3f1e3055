package store

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Table is the definition of a table and its items. It is guarded by the lock of its [DB].
type Table struct {
	Name       string
	ARN        string
	ID         string
	Created    time.Time
	ActiveAt   time.Time // end of the creation; zero afterwards
	UpdatedAt  time.Time // end of the update; zero afterwards
	DeleteAt   time.Time // when it is deleted; zero if it is not
	Key        KeySchema
	Definition []KeyAttribute // attribute definitions in the given order
	Indexes    []*Index       // local indexes first

	OnDemandBilling   bool
	OnDemandSince     time.Time
	Throughput        Throughput
	OnDemandLimit     OnDemandLimit
	Warm              WarmThroughput
	Settings          Settings
	DeletionProtected bool
	Tags              map[string]string // copy on write

	TTL         TTL
	Recovery    Recovery
	Stream      *Stream // the enabled stream, or nil
	StreamLabel string  // of the latest stream
	StreamARN   string

	items  btree.Tree[value.Map]
	expiry btree.Tree[struct{}] // places of items by expiry time, if TTL is enabled
	size   int64

	itemVersions, indexVersions versions // what stale reads see: items with local indexes; global indexes
}

// Recovery is the setting of point-in-time recovery. It affects no data.
type Recovery struct {
	Since time.Time // when it was turned on
	Days  int64     // how long it reaches back; 0 if it is off
}

// Len returns the number of items.
func (t *Table) Len() int { return t.items.Len() }

// Items returns the items by their places, for readers.
func (t *Table) Items() *btree.Tree[value.Map] { return &t.items }

// Size returns the bytes of all items.
func (t *Table) Size() int64 { return t.size }

// Index returns the index with that name, or nil.
func (t *Table) Index(name string) *Index {
	for _, ix := range t.Indexes {
		if ix.Name == name {
			return ix
		}
	}
	return nil
}

// HasLocalIndexes reports whether the table has local indexes, and so a size limit of item
// collections.
func (t *Table) HasLocalIndexes() bool { return len(t.Indexes) > 0 && t.Indexes[0].Local }

// Get returns the item with the key in these attributes, or nil.
func (t *Table) Get(key value.Map) value.Map {
	item, _ := t.items.Get(t.Key.Place(key))
	return item
}

// AddIndex adds an index and fills it with the items.
func (t *Table) AddIndex(ix *Index) {
	ix.attach(t)
	for _, item := range t.items.From("") {
		ix.replace(nil, item)
	}
	t.indexVersions = t.indexVersions.with(ix)
	// copy, because a copy of the table may share the slice
	t.Indexes = append(t.Indexes[:len(t.Indexes):len(t.Indexes)], ix)
}

// removeIndex removes an index with its entries.
func (t *Table) removeIndex(name string) {
	kept := make([]*Index, 0, len(t.Indexes))
	for _, ix := range t.Indexes {
		if ix.Name != name {
			kept = append(kept, ix)
		}
	}
	t.Indexes = kept
	t.dropDefinitions()
}

// dropDefinitions removes the attribute definitions that no key uses.
func (t *Table) dropDefinitions() {
	needed := make([]KeyAttribute, 0, len(t.Definition))
	for _, a := range t.Definition {
		used := t.Key.Has(a.Name)
		for _, ix := range t.Indexes {
			used = used || ix.Key.Has(a.Name)
		}
		if used {
			needed = append(needed, a)
		}
	}
	t.Definition = needed
}

// replace replaces an item in the table and in every index. One of the two may be nil, which is no
// item. It returns the place of the item.
func (t *Table) replace(old, item value.Map) (place string) {
	if item != nil {
		place = t.Key.Place(item)
		t.items.Set(place, item)
		t.size += int64(item.Size())
	} else {
		place = t.Key.Place(old)
		t.items.Delete(place)
	}
	if old != nil {
		t.size -= int64(old.Size())
	}
	for _, ix := range t.Indexes {
		ix.replace(old, item)
	}
	return place
}

// clone copies the table, but not its stream. The copies share their items until one of them
// changes.
func (t *Table) clone() *Table {
	c := *t
	c.items = *t.items.Clone()
	c.expiry = *t.expiry.Clone()
	c.Indexes = make([]*Index, len(t.Indexes))
	for i, ix := range t.Indexes {
		c.Indexes[i] = ix.clone(&c)
	}
	// Each copy appends to its own versions.
	c.itemVersions, c.indexVersions = slices.Clip(t.itemVersions), slices.Clip(t.indexVersions)
	return &c
}
