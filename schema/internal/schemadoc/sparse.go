package schemadoc

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// itemsText describes which items an access pattern finds and what it returns of them: the optional
// fields without which an item is not on the index, the other fields that must not be empty, and
// whether the index lacks attributes of the type. It is empty for whole items that are always on
// the index.
func itemsText(p *core.Plan, a *core.Access) string {
	var parts []string
	if names := members(p, a.On.Key, isOptional); len(names) > 0 {
		parts = append(parts, "only with "+strings.Join(names, " and "))
	}
	if names := members(p, a.On.Key, canBeEmpty); len(names) > 0 {
		parts = append(parts, "not with an empty "+strings.Join(names, " or "))
	}
	if x := a.On.Index; !x.HoldsAll(p, nil) {
		parts = append(parts, heldText(x))
	}
	return strings.Join(parts, "; ")
}

// heldText describes what a query of an index returns that does not project everything.
func heldText(x *core.Index) string {
	if x.KeysOnly {
		return "keys, or whole with Fetch"
	}
	return "a part, or whole with Fetch"
}

// collectionText is itemsText for a collection of several types.
func collectionText(s *core.Schema, c *collection) string {
	i := slices.IndexFunc(s.Indexes, func(x *core.Index) bool { return x.Name == c.index })
	if i < 0 || s.Indexes[i].All() {
		return ""
	}
	return heldText(s.Indexes[i])
}

// members returns the fields of an index key that f selects, each once. The fields of the table's
// key are in every item.
func members(p *core.Plan, key core.Key, selects func(*core.Plan, *codec.Field) bool) (names []string) {
	for a := range key.Attributes() {
		for _, f := range a.Members {
			if selects(p, f) && !slices.Contains(names, f.Name) && !inKey(p.Table, f) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// isOptional reports whether a field is declared optional: it is omitted if it is empty, or nil.
func isOptional(_ *core.Plan, f *codec.Field) bool {
	return f.Has(codec.OmitEmpty) || f.Node.Kind == codec.KindPtr || f.BehindPointer()
}

// canBeEmpty reports whether a field that is not optional can hold a value with which an item is
// not on the index: an empty text, a zero time. The library sets fields with some roles.
func canBeEmpty(p *core.Plan, f *codec.Field) bool {
	set := f.IsDerived() || f == p.Version || f == p.Created || f == p.Updated || f == p.Tenant || f == p.TTL && p.Lifetime > 0
	return !isOptional(p, f) && !f.ZeroIsValue() && !set
}

func inKey(key core.Key, f *codec.Field) bool {
	for a := range key.Attributes() {
		if slices.Contains(a.Members, f) {
			return true
		}
	}
	return false
}
