package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A request with PartiQL statements may read and write anything: the search does not parse them. So
// it commutes with no other request, and the faults that depend on its items cannot act on it.

// readStatements notes what the request's PartiQL statements mean for a search.
func (r *request) readStatements() {
	var statements []any
	switch r.name {
	case "ExecuteStatement":
		statements = []any{r.body}
	case "BatchExecuteStatement":
		statements, _ = r.body["Statements"].([]any)
	case "ExecuteTransaction":
		statements, _ = r.body["TransactStatements"].([]any)
	default:
		return
	}
	inTransaction := r.name == "ExecuteTransaction"
	conflicts, stale := inTransaction, false
	for _, s := range statements {
		s, _ := s.(map[string]any)
		text, _ := s["Statement"].(string)
		selects := strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "SELECT")
		r.selects = r.selects || selects
		conflicts = conflicts || !selects
		stale = stale || selects && !inTransaction && s["ConsistentRead"] != true
	}
	r.without = []Kind{Throttle}
	if conflicts {
		r.without = append(r.without, Conflict)
	}
	if stale {
		r.without = append(r.without, StaleRead)
	}
}

// statements returns the clients with PartiQL statements on which faults should act and cannot.
func (s *search) statements() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(s.stats.without)) {
		for _, k := range slices.Sorted(maps.Keys(s.stats.without[name])) {
			if s.options.Faults[k] > 0 {
				list = append(list, fmt.Sprintf("client %s sends PartiQL statements, on which faults of the kind %s never act: "+
					"leave out this kind, or use other operations", name, k))
			}
		}
	}
	return list
}
