package differential

// explanation is a difference that is known, and right as the candidate has it.
type explanation struct {
	name string
	says string // what the service does
	in   string // the part of its documentation that says so: of the developer guide or the API reference
	// applies tells whether it is this difference; none where the histories keep clear of it.
	applies func(meeting, difference) bool
}

// meeting is an operation and what it came to on both sides.
type meeting struct {
	tables               []*table
	op                   operation
	reference, candidate outcome
}

// unexplained is what remains of some differences without those that are explained, which are counted.
func (r *run) unexplained(op operation, a, b outcome, all []difference) []difference {
	var remaining []difference
	m := meeting{tables: r.tables, op: op, reference: a, candidate: b}
	for _, d := range all {
		if name := r.explain(m, d); name != "" {
			r.explained[name]++
			continue
		}
		remaining = append(remaining, d)
	}
	return remaining
}

func (r *run) explain(m meeting, d difference) string {
	for _, e := range r.known {
		if e.applies != nil && e.applies(m, d) {
			return e.name
		}
	}
	return ""
}

// The names of what the machinery itself explains.
const (
	equalKeys = "order of equal index keys"
	exactEnd  = "key after the last item at exactly the limit"
	unsettled = "index that never becomes active"
)
