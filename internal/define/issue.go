package define

import (
	"slices"

	"github.com/trestledb/trestle"
)

// Issue is one mistake in a definition. Its reason has no full stop at the end.
type Issue struct {
	trestle.Issue
	Cause string // Merge merges issues with the same cause; empty: never merged

	pos int // the position in the source
}

// place is a part of a type's source that issues name.
type place struct {
	field, tag, text string
	pos              int
}

// issue creates an issue of the whole text of the place.
func (p place) issue(reason, hint string) Issue { return p.issueAt(-1, reason, hint) }

// issueAt creates an issue at an offset of the text.
func (p place) issueAt(offset int, reason, hint string) Issue {
	return Issue{Issue: trestle.Issue{Field: p.field, Tag: p.tag, Text: p.text, Offset: offset, Reason: reason, Hint: hint}, pos: p.pos}
}

func (c *compiler) add(f Issue) { c.issues = append(c.issues, f) }

// addShared adds an issue with its cause, which other issues may share.
func (c *compiler) addShared(cause string, f Issue) {
	f.Cause = cause
	c.add(f)
}

// typeCause returns a cause that is specific to the type, such as a misspelled attribute. Other
// causes are in the configuration and can appear in several types.
func (c *compiler) typeCause(cause string) string {
	return c.typ.PkgPath() + " " + c.typ.String() + " " + cause
}

// sorted returns the issues in source order, without duplicates. Issues at the same position keep
// their order.
func sorted(issues []Issue) []Issue {
	slices.SortStableFunc(issues, func(a, b Issue) int { return a.pos - b.pos })
	var out []Issue
	for _, f := range issues {
		same := func(g Issue) bool { return f.Issue == g.Issue && f.Cause == g.Cause }
		if !slices.ContainsFunc(out, same) {
			out = append(out, f)
		}
	}
	return out
}

// Err returns a *trestle.DefinitionError with the merged issues, or nil if there are none.
func Err(issues []Issue) error {
	if len(issues) == 0 {
		return nil
	}
	return &trestle.DefinitionError{Issues: Merge(issues)}
}

// Merge reports each cause once. It keeps the first issue and adds the places of the others to its
// reason.
func Merge(issues []Issue) []trestle.Issue {
	type group struct {
		at     int      // the index of the first issue
		typ    string   // the type that was named last
		places []string // the places that were named
	}
	var merged []trestle.Issue
	groups := map[string]*group{}
	for _, f := range issues {
		g := groups[f.Cause]
		if f.Cause == "" || g == nil {
			groups[f.Cause] = &group{at: len(merged), typ: f.Type, places: []string{f.Place()}}
			merged = append(merged, f.Issue)
			continue
		}
		if slices.Contains(g.places, f.Place()) {
			continue
		}
		separator := "; also in "
		if len(g.places) > 1 {
			separator = "; "
		}
		g.places = append(g.places, f.Place())
		if f.Type == g.typ {
			f.Type = ""
		} else {
			g.typ = f.Type
		}
		merged[g.at].Reason += separator + f.Place()
	}
	return merged
}
