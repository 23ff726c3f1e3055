package expr

// Few is a list that takes no memory of its own while it is short: what holds one can stay on the stack. The zero value is empty.
type Few[T any] struct {
	n     int
	short [4]T
	more  []T
}

// Len is how many there are.
func (f *Few[T]) Len() int { return f.n }

// At is the one at a place.
func (f *Few[T]) At(i int) *T {
	if i < len(f.short) {
		return &f.short[i]
	}
	return &f.more[i-len(f.short)]
}

// Add appends one.
func (f *Few[T]) Add(v T) {
	if f.n < len(f.short) {
		f.short[f.n] = v
	} else {
		f.more = append(f.more, v)
	}
	f.n++
}
