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
	Only   []*Plan // these types alone; empty: all
	Keyed  bool    // the items are read by keys of the type, so that their keys tell nothing more
	Expiry Expiry  // zero: expired items are returned too
}

// Sight is whether a read returns an item, or why it does not.
type Sight uint8

// The sights, in the order in which they are found out.
const (
	Visible  Sight = iota
	Internal       // it is one of the library's own
	Other          // it is of another type, or of none, or it does not exist
	Expired
)

// Visible returns whether the read returns an item, and the type of the item; nil: none.
func (w *Wanted) Visible(row Row) (as *Plan, s Sight) {
	switch as = w.Type; {
	case w.Keyed:
		if !as.Owns(row) {
			return as, Other
		}
	case w.Schema.isInternal(row):
		return nil, Internal
	default:
		as = w.Schema.PlanOf(row)
		if w.Type != nil && as != w.Type || len(w.Only) > 0 && !slices.Contains(w.Only, as) {
			return as, Other
		}
	}
	if w.Expiry != (Expiry{}) && w.Expiry.Expired(as, row) {
		return as, Expired
	}
	return as, Visible
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
