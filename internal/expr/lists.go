package expr

import "slices"

// Conds is a list of conditions that needs no allocation for one condition. It is a value:
// [Conds.With] returns a longer list and leaves the receiver unchanged.
type Conds struct {
	first *Cond // nil if the list is empty
	more  []*Cond
}

// Len returns the number of conditions.
func (l Conds) Len() int {
	if l.first == nil {
		return 0
	}
	return 1 + len(l.more)
}

// At returns the condition at index i.
func (l Conds) At(i int) *Cond {
	if i == 0 {
		return l.first
	}
	return l.more[i-1]
}

// With returns the list with c appended.
func (l Conds) With(c *Cond) Conds {
	if l.first == nil {
		l.first = c
		return l
	}
	l.more = append(slices.Clip(l.more), c)
	return l
}

// SmallVec is a list that needs no allocation for up to four elements. A value that holds one can
// stay on the stack. The zero value is empty.
type SmallVec[T any] struct {
	n     int
	short [4]T
	more  []T
}

// Len returns the number of elements.
func (v *SmallVec[T]) Len() int { return v.n }

// At returns a pointer to the element at index i.
func (v *SmallVec[T]) At(i int) *T {
	if i < len(v.short) {
		return &v.short[i]
	}
	return &v.more[i-len(v.short)]
}

// Add appends an element.
func (v *SmallVec[T]) Add(e T) {
	if v.n < len(v.short) {
		v.short[v.n] = e
	} else {
		v.more = append(v.more, e)
	}
	v.n++
}
