package explain

import (
	"slices"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// What happens to expired items.
const (
	filteredExpired = "dropped by the filter in the request, and charged"
	arrivedExpired  = "dropped on arrival, and charged"
	anewExpired     = "deleted first, and the write is sent again: two more requests"
)

// expiredOf returns how a read of many items drops expired items.
func expiredOf(p *read.Plan) string {
	switch {
	case !p.HidesExpired:
		return ""
	case len(p.Moving) > 0:
		return filteredExpired
	default:
		return arrivedExpired
	}
}

// expiredByKey returns how a read by key drops an expired item.
func expiredByKey(hides bool) string {
	if hides {
		return arrivedExpired
	}
	return ""
}

// expiredIn returns what a write does if it meets an expired item, if that costs more.
func expiredIn(act *op.Action) string {
	if slices.ContainsFunc(act.Clauses, func(c clause.Clause) bool { return c.Then == clause.Bury }) {
		return anewExpired
	}
	return ""
}
