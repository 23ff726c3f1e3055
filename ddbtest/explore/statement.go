package explore

import (
	"encoding/json"
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
	for i, s := range statements {
		s, _ := s.(map[string]any)
		text, _ := s["Statement"].(string)
		selects := strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "SELECT")
		r.selects, r.onlySelects = r.selects || selects, (r.onlySelects || i == 0) && selects
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

// changes reports whether the request is to change items or tables: it writes, and not all of its
// statements only read.
func (r *request) changes() bool { return r.writes && !r.onlySelects }

// refusedStatements returns the code and the message of the last error in the reply to a batch of
// statements, if none has another result, or "".
func refusedStatements(body []byte) (refused string) {
	var reply struct {
		Responses []struct {
			Error *struct{ Code, Message string }
		}
	}
	if json.Unmarshal(body, &reply) != nil {
		return ""
	}
	for _, r := range reply.Responses {
		if r.Error == nil || slices.Contains(outcomesOfStatements, r.Error.Code) {
			return ""
		}
		refused = r.Error.Code + ": " + r.Error.Message
	}
	return refused
}

// outcomesOfStatements are the codes of errors that a correct statement may have, depending on the
// data.
var outcomesOfStatements = []string{"ConditionalCheckFailed", "DuplicateItem", "TransactionConflict"}

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
