package write

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
)

// readFirst is the hint that applies to every unknown field.
const readFirst = "read first: With(entity.ReadFirst())"

// unknownError returns an error that names the unknown fields and the access patterns that need
// them.
func (p *updatePlanner) unknownError() error {
	var wrong errs.Problems
	for _, f := range p.unknown {
		part := "is part of " + p.accessPatterns(f) + ", and "
		switch {
		case p.Plan.TableMember(f):
			wrong.Add(f.Name, part+"the table's key does not contain the whole of it, so the stored value may differ from the example's", readFirst)
		case f == p.Plan.Created && !p.changesField(f):
			wrong.Add(f.Name, part+"it is unknown whether the stored item has it", "Set it, or "+readFirst)
		case p.changesField(f):
			wrong.Add(f.Name, part+"only DynamoDB knows its value after this change", "Set it to a value, or "+readFirst)
		case f.KeyOnly:
			wrong.Add(f.Name, part+"it has no attribute of its own that a condition could check", "Set it in the same call, or "+readFirst)
		default:
			wrong.Add(f.Name, part+"this update changes the key without its value", "Set it in the same call; give it in the example, "+
				"where a zero counts if the example has a version or With(entity.AsRead()) is used; or "+readFirst)
		}
	}
	return wrong.Err()
}

// accessPatterns names the changed access patterns whose key contains a field.
func (p *updatePlanner) accessPatterns(f *codec.Field) string {
	var names []string
	for _, x := range p.Plan.Indexes {
		if !x.Key.HasMember(f) || !p.changesIndex(x) {
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
