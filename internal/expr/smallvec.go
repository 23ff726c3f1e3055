package expr

// SmallVec is a list that needs no allocation for up to four elements. A value that holds one can
// stay on the stack. The zero value is empty.
type SmallVec[T any] struct {
	n     int
	short [4]T
	more  []T
}

// Len returns the number of elements.
func (f *SmallVec[T]) Len() int { return f.n }

// At returns a pointer to the element at index i.
func (f *SmallVec[T]) At(i int) *T {
	if i < len(f.short) {
		return &f.short[i]
	}
	return &f.more[i-len(f.short)]
}

// Add appends an element.
func (f *SmallVec[T]) Add(v T) {
	if f.n < len(f.short) {
		f.short[f.n] = v
	} else {
		f.more = append(f.more, v)
	}
	f.n++
}
