package write

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
)

// readFirst is the hint that applies to every unknown field.
const readFirst = "read first: With(entity.ReadFirst())"

// unknownError returns an error that names the unknown fields and the access patterns that need
// them.
func (u *updateCall) unknownError(missing fieldSet) error {
	var wrong errs.Problems
	for _, f := range missing {
		holds := u.accessPatterns(f) + " holds it, and "
		switch {
		case u.Plan.TableMember(f):
			wrong.Add(f.Name, u.accessPatterns(f)+" holds more of it than the table's key does, and the stored item may differ from the example", readFirst)
		case f == u.Plan.Created && !u.changesField(f):
			wrong.Add(f.Name, holds+"only the table knows whether it is set already", "Set it, or "+readFirst)
		case u.changesField(f):
			wrong.Add(f.Name, holds+"only the table knows its value after this change", "Set it to a value, or "+readFirst)
		case f.KeyOnly:
			wrong.Add(f.Name, holds+"it has no attribute of its own that the write could check", "Set it in the same call, or "+readFirst)
		default:
			wrong.Add(f.Name, holds+"this update changes the key and does not know it", "Set it in the same call; give it in the example, "+
				"where a zero counts if the example has a version or With(entity.AsRead()) is used; or "+readFirst)
		}
	}
	return wrong.Err()
}

// accessPatterns names the touched access patterns whose key contains a field.
func (u *updateCall) accessPatterns(f *codec.Field) string {
	var names []string
	for _, x := range u.Plan.Indexes {
		if !x.Key.HasMember(f) || !u.touchesIndex(x) {
			continue
		}
		name := "the key of index " + x.Index.Name
		if x.Access != nil {
			name = "access pattern " + x.Access.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "an index key"
	}
	return strings.Join(names, ", ")
}

// touchesIndex reports whether the update changes a member of an index's key, by a change of the
// caller or by a stamp.
func (u *updateCall) touchesIndex(x *core.IndexKey) bool {
	p := u.Plan
	if u.Upsert && (p.Constant(x) || p.Created != nil && x.Key.HasMember(p.Created)) || p.Updated != nil && x.Key.HasMember(p.Updated) {
		return true
	}
	return slices.ContainsFunc(u.changes, func(c *expr.BoundChange) bool { return c.Field() != nil && x.Key.HasMember(c.Field()) })
}
