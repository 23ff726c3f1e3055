package generations

import (
	"errors"
	"slices"

	"github.com/trestledb/trestle/attr"
)

// handles are the handles of the attributes of a Pointer.
type handles[D any] struct {
	generation        *attr.Field[D, string]
	parts             *attr.Field[D, int]
	pending, obsolete *attr.Field[D, []string]
}

func newHandles[D any](pointer func(*D) *Pointer) (handles[D], error) {
	var h handles[D]
	var found [4]error
	h.generation, found[0] = attr.Find(func(d *D) *string { return &pointer(d).Generation })
	h.parts, found[1] = attr.Find(func(d *D) *int { return &pointer(d).Parts })
	h.pending, found[2] = attr.Find(func(d *D) *[]string { return &pointer(d).Pending })
	h.obsolete, found[3] = attr.Find(func(d *D) *[]string { return &pointer(d).Obsolete })
	if err := errors.Join(found[:]...); err != nil {
		return h, err
	}
	if h.generation.String() != "generation" {
		return h, errNested
	}
	return h, nil
}

// changes returns the changes from one state to another. They are conditional on the current
// generation. Because none becomes current twice, no generation became current since the item had
// the first state.
//
//go:noinline
func (h *handles[D]) changes(from, to Pointer) []attr.Change[D] {
	conds := []attr.Cond[D]{h.isCurrent(from.Generation)}
	var changes []attr.Change[D]
	if to.Generation != from.Generation {
		changes = append(changes, h.generation.Set(to.Generation), h.parts.Set(to.Parts))
		if slices.Contains(from.Pending, to.Generation) {
			conds = append(conds, attr.Contains(h.pending, to.Generation))
		}
	}
	for _, set := range []struct {
		field    *attr.Field[D, []string]
		from, to []string
	}{{h.pending, from.Pending, to.Pending}, {h.obsolete, from.Obsolete, to.Obsolete}} {
		if added := without(set.to, set.from...); len(added) > 0 {
			changes = append(changes, attr.SetAdd(set.field, added...))
		}
		if removed := without(set.from, set.to...); len(removed) > 0 {
			changes = append(changes, attr.SetDelete(set.field, removed...))
		}
	}
	// A registration that arrives again, after its generation was given up, fails.
	for _, id := range without(to.Pending, from.Pending...) {
		conds = append(conds, attr.Not(attr.Contains(h.obsolete, id)))
	}
	return append(changes, attr.If(conds...))
}

// areAll requires that no generations were added since the item had a state without pending ones.
//
//go:noinline
func (h *handles[D]) areAll(now Pointer) []attr.Cond[D] {
	conds := []attr.Cond[D]{h.isCurrent(now.Generation), h.pending.NotExists()}
	if len(now.Obsolete) == 0 {
		return append(conds, h.obsolete.NotExists())
	}
	return append(conds, h.obsolete.Eq(now.Obsolete))
}

// isCurrent requires that a generation is current, or that there is none if it is empty.
//
//go:noinline
func (h *handles[D]) isCurrent(id string) attr.Cond[D] {
	if id == "" {
		return h.generation.NotExists()
	}
	return h.generation.Eq(id)
}
