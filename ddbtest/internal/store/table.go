package store

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/btree"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Table is a table's definition and its items. It changes under the lock of its [DB] only.
type Table struct {
	Name       string
	ARN        string
	ID         string
	Created    time.Time
	ActiveAt   time.Time // until when it is being made; zero once it is
	UpdatedAt  time.Time // until when it is being updated; zero once it is
	DeleteAt   time.Time // when it is gone; zero where it stays
	Key        KeySchema
	Definition []KeyAttribute // the attribute definitions, in the order given
	Indexes    []*Index       // local ones first

	OnDemandBilling   bool
	OnDemandSince     time.Time
	Throughput        Throughput
	OnDemand          OnDemand
	Warm              Warm
	Class             string // "" where none was asked for
	DeletionProtected bool
	Encryption        Encryption
	Tags              map[string]string // replaced, never changed in place

	TTL         TTL
	Stream      *Stream // the one that takes records; nil where there is none
	StreamLabel string  // of the last one that there was
	StreamARN   string

	items  btree.Tree[value.Map]
	expiry btree.Tree[struct{}] // places of items by the time of their expiry, where TTL is on
	size   int64

	pastItems, pastIndexes past // what stale reads see of the items with the local indexes, and of the global ones
}

// Throughput is provisioned units per second.
type Throughput struct {
	Read, Write        int64
	Increased, Lowered time.Time
	Decreases          int // on the day when it was last lowered
}

// OnDemand bounds on-demand use; 0 is no bound.
type OnDemand struct{ Read, Write int64 }

// Warm is what was asked to be served at once; 0 is the default.
type Warm struct{ Read, Write int64 }

// Encryption is what was asked for. Nothing is encrypted.
type Encryption struct {
	Enabled bool
	Type    string
	KeyARN  string
}

// Len is how many items the table has.
func (t *Table) Len() int { return t.items.Len() }

// Size is the bytes of all items.
func (t *Table) Size() int64 { return t.size }

// Index returns the index of that name, or nil.
func (t *Table) Index(name string) *Index {
	for _, ix := range t.Indexes {
		if ix.Name == name {
			return ix
		}
	}
	return nil
}

// HasLocalIndexes tells whether item collections have sizes and limits.
func (t *Table) HasLocalIndexes() bool { return len(t.Indexes) > 0 && t.Indexes[0].Local }

// Get returns the item with the key of these attributes, or nil.
func (t *Table) Get(key value.Map) value.Map {
	item, _ := t.items.Get(string(t.Key.Place(key)))
	return item
}

// AddIndex makes a global index and fills it from the items.
func (t *Table) AddIndex(ix *Index) {
	ix.in(t)
	for _, item := range t.items.From("") {
		ix.replace(nil, item)
	}
	t.pastIndexes = t.pastIndexes.with(ix)
	// not in place: a copy of the table may share the slice
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

// dropDefinitions forgets the attribute definitions that no key needs.
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

// replace makes the change in the items and in every index; nil is no item, as one of the two may be. It returns the item's place.
func (t *Table) replace(old, item value.Map) (place string) {
	if item != nil {
		place = string(t.Key.Place(item))
		t.items.Set(place, item)
		t.size += int64(item.Size())
	} else {
		place = string(t.Key.Place(old))
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

// clone copies the table, but not its stream; the copies share their items until one of them changes.
func (t *Table) clone() *Table {
	c := *t
	c.items = *t.items.Clone()
	c.expiry = *t.expiry.Clone()
	c.Indexes = make([]*Index, len(t.Indexes))
	for i, ix := range t.Indexes {
		c.Indexes[i] = ix.clone(&c)
	}
	c.pastItems, c.pastIndexes = slices.Clip(t.pastItems), slices.Clip(t.pastIndexes) // which each goes on by itself
	return &c
}
