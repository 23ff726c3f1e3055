package expr

// The doors into package attr, which sets them when it starts: its conditions and changes keep what they are made of to themselves.
// A nil, or a value that is none of attr's, gives a tree that carries an error.
var (
	CondOf   = func(any) *Cond { return &Cond{Err: errForeign} }
	ChangeOf = func(any) *Change { return &Change{Err: errForeign} }
)

// CondsOf opens a list of conditions.
func CondsOf[C any](conds []C) []*Cond { return With(nil, conds) }

// With is a list with conditions added. The list itself stays as it is, whoever shares it.
func With[C any](list []*Cond, conds []C) []*Cond {
	if len(conds) == 0 {
		return list
	}
	trees := append(make([]*Cond, 0, len(list)+len(conds)), list...)
	for _, c := range conds {
		trees = append(trees, CondOf(c))
	}
	return trees
}

// ChangesOf opens a list of changes.
func ChangesOf[C any](changes []C) []*Change {
	if len(changes) == 0 {
		return nil
	}
	list := make([]*Change, len(changes))
	for i, c := range changes {
		list[i] = ChangeOf(c)
	}
	return list
}
