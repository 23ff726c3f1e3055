package core

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
)

// Unique is a value that no two items of an entity type may have. An item of the library, the
// guard, holds the value of each item.
type Unique struct {
	Name string   // the fields, for errors; or the declared name
	Key  *KeyAttr // the template of the value and its members; no item has this attribute
}

// Guarded reports whether a write that changes the field also writes a guard: the field is a member
// of a unique value, or the time to live, which the guards share.
func (p *Plan) Guarded(f *codec.Field) bool {
	return len(p.Uniques) > 0 && f == p.TTL || slices.ContainsFunc(p.Uniques, func(u *Unique) bool { return u.Has(f) })
}

// Has reports whether the field is a member of the unique value.
func (u *Unique) Has(f *codec.Field) bool { return slices.Contains(u.Key.Members, f) }
