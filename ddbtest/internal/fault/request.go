package fault

import (
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Request is what rules look at.
type Request struct {
	Operation string
	Targets   []engine.Target
	Info      any // what [Spec.Match] is given
}

// matching returns the places of the request's targets that a rule speaks of. Without any condition on targets these are all.
func (s *Spec) matching(r *Request) (targets []int, ok bool) {
	for i := range r.Targets {
		if s.concerns(&r.Targets[i]) {
			targets = append(targets, i)
		}
	}
	return targets, len(targets) > 0 || !s.narrow()
}

// narrow tells whether the rule speaks of some tables, indexes or keys only.
func (s *Spec) narrow() bool { return s.Table != "" || s.Index != "" || s.Key != nil }

func (s *Spec) concerns(t *engine.Target) bool {
	return (s.Table == "" || s.Table == t.Table) && (s.Index == "" || s.Index == t.Index) && holds(t.Key, s.Key)
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
