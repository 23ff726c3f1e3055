package differential

// explanation is a known difference for which the candidate is right.
type explanation struct {
	name    string
	service string // what the service does
	source  string // its source: the developer guide or the API reference
	// applies reports whether a difference is this one. It is nil if the histories avoid the
	// difference.
	applies func(outcomes, difference) bool
}

// outcomes is an operation and its outcomes on both sides.
type outcomes struct {
	tables               []*table
	op                   operation
	reference, candidate outcome
}

// unexplained returns the differences that have no explanation. It counts the explained ones.
func (r *run) unexplained(op operation, a, b outcome, all []difference) []difference {
	var remaining []difference
	m := outcomes{tables: r.tables, op: op, reference: a, candidate: b}
	for _, d := range all {
		if name := r.explain(m, d); name != "" {
			r.explained[name]++
			continue
		}
		remaining = append(remaining, d)
	}
	return remaining
}

func (r *run) explain(m outcomes, d difference) string {
	for _, e := range r.known {
		if e.applies != nil && e.applies(m, d) {
			return e.name
		}
	}
	return ""
}

// Names of the explanations that the runner itself applies.
const (
	equalKeys   = "order of equal index keys"
	exactEnd    = "key after the last item at exactly the limit"
	neverActive = "index that never becomes active"
)
