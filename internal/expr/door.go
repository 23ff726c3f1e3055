package expr

import "slices"

// The doors into package attr, which sets them when it starts: its conditions and changes keep what they are made of to themselves.
// A nil, or a value that is none of attr's, gives a tree that carries an error.
var (
	CondOf   = func(any) *Cond { return &Cond{Err: errForeign} }
	ChangeOf = func(any) *Change { return &Change{Err: errForeign} }
)

// CondsOf opens a list of conditions.
func CondsOf[C any](conds []C) []*Cond {
	if len(conds) == 0 {
		return nil
	}
	list := make([]*Cond, len(conds))
	for i, c := range conds {
		list[i] = CondOf(c)
	}
	return list
}

// With is a list with conditions added.
func With[C any](list Conds, conds []C) Conds {
	if len(conds) == 0 {
		return list
	}
	if list.first == nil {
		list.first, conds = CondOf(conds[0]), conds[1:]
	}
	list.more = append(slices.Clip(list.more), CondsOf(conds)...)
	return list
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
