package core

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
)

// Counted declares that an item counts the items of a type. Each write that creates or deletes such
// an item changes the count in the same transaction.
type Counted struct {
	In     string       // the name of the type of the counting item
	As     string       // the attribute that holds the count
	Key    Key          // the key of the counting item, from fields of the counted one
	Place  string       // the declaration, for issues
	Parent *Plan        // the type of the counting item; set when the schema is complete
	Field  *codec.Field // the field that holds the count; set when the schema is complete
}

// Label names the count in errors and explanations.
func (c *Counted) Label() string { return c.In + "." + c.As }

// Companions reports whether writes of the type also write other items: guards of unique values, or
// items that count it.
func (p *Plan) Companions() bool { return len(p.Uniques)+len(p.Counted) > 0 }

// CompanionMember reports whether a write that changes the field may also write other items: the
// field is a member of a unique value or of the key of a counting item, or the time to live, which
// guards share.
func (p *Plan) CompanionMember(f *codec.Field) bool {
	return len(p.Uniques) > 0 && f == p.TTL ||
		slices.ContainsFunc(p.Uniques, func(u *Unique) bool { return slices.Contains(u.Key.Members, f) }) ||
		slices.ContainsFunc(p.Counted, func(c *Counted) bool { return c.Key.HasMember(f) })
}

// Counts reports whether the field holds a count of other items.
func (p *Plan) Counts(f *codec.Field) bool { return slices.Contains(p.Counters, f) }
