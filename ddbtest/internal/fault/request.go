package fault

import (
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Request is what rules look at.
type Request struct {
	Operation string
	Targets   []engine.Target
	At        time.Time
	Info      any // what [Spec.Match] is given
	World     World
}

// World is what rules know of the database.
type World interface {
	// ARN names a table, or an index of it, as the service does.
	ARN(table, index string) string
	// OnDemand tells whether the table is paid per request.
	OnDemand(table string) bool
	// IsGlobal tells whether the table has a global index of that name.
	IsGlobal(table, index string) bool
}

// matching returns the places of the request's targets that a rule speaks of. Without any condition on targets these are all.
func (s *Spec) matching(r *Request) (targets []int, ok bool) {
	for i := range r.Targets {
		if s.concerns(r, &r.Targets[i]) {
			targets = append(targets, i)
		}
	}
	return targets, len(targets) > 0 || !s.narrow()
}

// narrow tells whether the rule speaks of some tables, indexes or keys only.
func (s *Spec) narrow() bool { return s.Table != "" || s.Index != "" || s.Key != nil }

func (s *Spec) concerns(r *Request, t *engine.Target) bool {
	return (s.Table == "" || s.Table == t.Table) && (s.Index == "" || s.onIndex(r, t)) && holds(t.Key, s.Key)
}

// onIndex tells whether the target is a page of the rule's index, or a write to a table that has it where that is what the rule is about.
func (s *Spec) onIndex(r *Request, t *engine.Target) bool {
	if t.Index != "" || !s.ofIndex() {
		return s.Index == t.Index
	}
	return t.Write && r.World.IsGlobal(t.Table, s.Index)
}

// ofIndex tells whether the rule is about writes to an index.
func (s *Spec) ofIndex() bool {
	return slices.ContainsFunc(s.Effects, func(e Effect) bool { return e.ofIndex })
}

// holds tells whether the item, or the key, has all attributes of part.
func holds(item, part value.Map) bool {
	for _, a := range part {
		if v := item.Get(a.Name); v == nil || !value.Equal(v, a.Value) {
			return false
		}
	}
	return true
}
