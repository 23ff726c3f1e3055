package read

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// servedBy suggests a key that can serve a condition on a field that the target's key cannot serve.
// It prefers a sort key that begins with the field, then a partition key that holds it, then a sort
// key that holds it after other fields.
func servedBy(p *core.Plan, not target, f *codec.Field) string {
	best, rank := "", 0
	try := func(name, call string, key core.Key) {
		switch r, before := serves(key, f); {
		case r <= rank:
		case r == inPartition:
			best, rank = name+" could, where its partition is given: "+call+" with "+f.GoName+" in the example", r
		case r == inSort:
			best, rank = name+" could, with equality on "+before+": "+call, r
		default:
			best, rank = name+" could: "+call, r
		}
	}
	if not.index != nil {
		try("the table's own key", "query.Of", p.Table)
	}
	for _, a := range p.Access {
		if a.On.Index != not.index {
			try("access pattern "+a.Name, "query.On", a.On.Key)
		}
	}
	if rank == 0 {
		return "no access pattern of " + p.Name + " could; declare one"
	}
	return best
}

// The ranks of keys that can serve a condition on a field, in ascending order.
const (
	inSort      = 1 + iota // after other fields
	inPartition            // only Eq
	first                  // any operator
)

// serves finds a field in a key. It returns the fields before it in the sort key.
func serves(key core.Key, f *codec.Field) (rank int, before string) {
	if holds(key.Partition, f) {
		return inPartition, ""
	}
	var names []string
	for _, a := range key.Sort {
		for _, m := range a.Members {
			switch {
			case m == f && len(names) == 0:
				return first, ""
			case m == f:
				return inSort, strings.Join(names, ", ")
			case !holds(key.Partition, m):
				names = append(names, m.Name)
			}
		}
	}
	return 0, ""
}
