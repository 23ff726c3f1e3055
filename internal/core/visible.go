package core

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// Wanted are the items that a read returns: those of its type that have not expired. Every read
// uses it. Items of other tenants reach no read, because exec refuses every reply that has one.
type Wanted struct {
	Schema *Schema
	Type   *Plan   // nil: items of every type, and of no registered type
	Only   []*Plan // of a read of every type: these alone; empty: all
	Keyed  bool    // the items are read by keys of the type, so that their keys tell nothing more
	Expiry Expiry  // zero: expired items are returned too
}

// Sight is whether a read returns an item, or why it does not.
type Sight uint8

// The sights, in the order in which they are found out.
const (
	Visible  Sight = iota
	Missing        // there is no item
	Internal       // it is one of the library's own
	Other          // it is of another type, or of none
	Expired
)

// WantedByKey returns what a read by keys of a type returns.
func WantedByKey(p *Plan, e Expiry) Wanted { return Wanted{Type: p, Keyed: true, Expiry: e} }

// Visible returns whether the read returns an item, and the type of the item; nil: none.
func (w *Wanted) Visible(row Row) (as *Plan, s Sight) {
	if as, s = w.TypeOf(row); s == Visible && w.Expiry.Expired(as, row) {
		s = Expired
	}
	return as, s
}

// TypeOf is Visible for an item that has not expired.
func (w *Wanted) TypeOf(row Row) (as *Plan, s Sight) {
	wanted := false
	switch {
	case row.Empty():
		return nil, Missing
	case w.Keyed:
		as, wanted = w.Type, w.Type.Owns(row)
	case w.Schema.isInternal(row):
		return nil, Internal
	case w.Type != nil:
		as = w.Schema.PlanOf(row)
		wanted = as == w.Type
	default:
		as = w.Schema.PlanOf(row)
		wanted = len(w.Only) == 0 || slices.Contains(w.Only, as)
	}
	if !wanted {
		s = Other
	}
	return as, s
}

// isInternal reports whether an item is one of the library's own.
func (s *Schema) isInternal(row Row) bool {
	if s.Partition.Type == keys.N {
		return false
	}
	if len(s.Tenants) == 0 {
		return row.HasPrefix(s.Partition, keyspace.Reserved)
	}
	text, ok := row.KeyText(s.Partition)
	return ok && strings.HasPrefix(s.CutTenant(text), keyspace.Reserved)
}
