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
	optional, empty := p.Omitting(a.On.Key)
	if len(optional) > 0 {
		parts = append(parts, "only with "+joinNames(optional, " and "))
	}
	if len(empty) > 0 {
		parts = append(parts, "not with an empty "+joinNames(empty, " or "))
	}
	if x := a.On.Index; !x.HoldsAll(p, nil) {
		parts = append(parts, heldText(x))
	}
	return strings.Join(parts, "; ")
}

// joinNames joins the names of fields.
func joinNames(fields []*codec.Field, word string) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, word)
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
