package expr

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
