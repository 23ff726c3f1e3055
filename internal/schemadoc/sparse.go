package schemadoc

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// itemsText describes which items an access pattern finds and what it returns of them: the optional
// fields without which an item is not on the index, and whether the index lacks attributes of the
// type. It is empty for whole items that are always on the index.
func itemsText(p *core.Plan, a *core.Access) string {
	var parts []string
	if names := optionalMembers(p, a.On.Key); len(names) > 0 {
		parts = append(parts, "only with "+strings.Join(names, " and "))
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

// optionalMembers returns the optional fields of an index key, each once. An item without one of
// them is not on the index. The fields of the table's key are in every item.
func optionalMembers(p *core.Plan, key core.Key) (names []string) {
	for a := range key.Attributes() {
		for _, f := range a.Members {
			if isOptional(f) && !slices.Contains(names, f.Name) && !inKey(p.Table, f) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// isOptional reports whether a field is declared optional: it is omitted if it is empty, or nil.
func isOptional(f *codec.Field) bool {
	return f.Has(codec.OmitEmpty) || f.Node.Kind == codec.KindPtr || f.BehindPointer()
}

func inKey(key core.Key, f *codec.Field) bool {
	for a := range key.Attributes() {
		if slices.Contains(a.Members, f) {
			return true
		}
	}
	return false
}
