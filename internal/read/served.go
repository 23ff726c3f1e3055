package read

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// servedBy names what could serve a condition on a field that the target's key cannot: a sort key that begins with it, else a partition key that holds it,
// else a sort key that has it behind others.
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

// How well a key serves a condition on a field.
const (
	inSort      = 1 + iota // behind others
	inPartition            // with equality
	first                  // with any operator
)

// serves finds a field in a key, and what stands before it in the sort key.
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
