package expr

import "slices"

// Conds is a list of conditions that takes no memory of its own for the only one. It is a value: [With] makes a longer one, and leaves it as it is.
type Conds struct {
	first *Cond // nil: the list is empty
	more  []*Cond
}

// Len is how many there are.
func (l Conds) Len() int {
	if l.first == nil {
		return 0
	}
	return 1 + len(l.more)
}

// At is the one at a place.
func (l Conds) At(i int) *Cond {
	if i == 0 {
		return l.first
	}
	return l.more[i-1]
}

// With is the list with one more.
func (l Conds) With(c *Cond) Conds {
	if l.first == nil {
		l.first = c
		return l
	}
	l.more = append(slices.Clip(l.more), c)
	return l
}
