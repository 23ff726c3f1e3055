package fault

import (
	"cmp"
	"slices"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Request is the input of the rules.
type Request struct {
	Operation string
	RunsAs    string // for PartiQL: the operation as which it runs, such as "Scan"; else ""
	Targets   []engine.Target
	At        time.Time
	Info      any // the argument of [Spec.Match]
	Tables    TableInfo
}

// class returns the operation's class, or that of what it runs as.
func (r *Request) class() operationSet { return operations[cmp.Or(r.RunsAs, r.Operation)] }

// isOneOf reports whether the operation, or what it runs as, is one of the names.
func (r *Request) isOneOf(names []string) bool {
	return slices.Contains(names, r.Operation) || r.RunsAs != "" && slices.Contains(names, r.RunsAs)
}

// TableInfo gives rules access to the database.
type TableInfo interface {
	// ARN returns the ARN of a table or of one of its indexes.
	ARN(table, index string) string
	// OnDemand reports whether the table uses on-demand capacity.
	OnDemand(table string) bool
	// IsGlobal reports whether the table has a global index of that name.
	IsGlobal(table, index string) bool
}

// match is a request that matches a rule.
type match struct {
	*Request
	targets []int // the indexes of the matching targets
	random  func() float64
	index   string // the index that the rule names
}

// ended reports whether the time of the rule is over.
func (s *Spec) ended(r *Request) bool { return s.For > 0 && !r.At.Before(s.From.Add(s.For)) }

// hasOperation reports whether the rule names the operation, or none.
func (s *Spec) hasOperation(r *Request) bool {
	return len(s.Operations) == 0 || r.isOneOf(s.Operations)
}

// matchingTargets returns the positions of the targets that the rule matches. A rule without
// conditions on targets matches all of them.
func (s *Spec) matchingTargets(r *Request) (targets []int, ok bool) {
	for i := range r.Targets {
		if s.matchesTarget(r, &r.Targets[i]) {
			targets = append(targets, i)
		}
	}
	return targets, len(targets) > 0 || !s.hasTargetConditions()
}

// hasTargetConditions reports whether the rule has conditions on targets.
func (s *Spec) hasTargetConditions() bool { return s.Table != "" || s.Index != "" || s.Key != nil }

func (s *Spec) matchesTarget(r *Request, t *engine.Target) bool {
	return (s.Table == "" || s.Table == t.Table) && (s.Index == "" || s.onIndex(r, t)) && hasAttributes(t.Key, s.Key)
}

// onIndex reports whether the target is a page of the rule's index. For a rule about index writes,
// it reports whether the target is a write to a table that has the index.
func (s *Spec) onIndex(r *Request, t *engine.Target) bool {
	if t.Index != "" || !s.needsIndex() {
		return s.Index == t.Index
	}
	return t.Write && r.Tables.IsGlobal(t.Table, s.Index)
}

// needsIndex reports whether the rule is about writes to an index.
func (s *Spec) needsIndex() bool {
	return slices.ContainsFunc(s.Effects, func(e Effect) bool { return e.needsIndex })
}

// hasAttributes reports whether the item or key has all attributes of part.
func hasAttributes(item, part value.Map) bool {
	for _, a := range part {
		if v := item.Get(a.Name); v == nil || !value.Equal(v, a.Value) {
			return false
		}
	}
	return true
}
