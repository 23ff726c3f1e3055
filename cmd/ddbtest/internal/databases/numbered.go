package databases

import (
	"maps"
	"slices"
	"sync"
)

// Numbered is a list whose elements have numbers, from 1. No number is used twice. The zero value
// is empty. All methods are safe for concurrent use.
type Numbered[T any] struct {
	mu   sync.Mutex
	last int
	byID map[int]T
}

// Add adds an element and returns its number.
func (n *Numbered[T]) Add(element T) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.byID == nil {
		n.byID = map[int]T{}
	}
	n.last++
	n.byID[n.last] = element
	return n.last
}

// Last returns the number of the element that was added last, or 0.
func (n *Numbered[T]) Last() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last
}

// Get returns an element.
func (n *Numbered[T]) Get(id int) (element T, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	element, ok = n.byID[id]
	return element, ok
}

// Remove removes an element and returns it.
func (n *Numbered[T]) Remove(id int) (element T, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	element, ok = n.byID[id]
	delete(n.byID, id)
	return element, ok
}

// Clear removes all elements and returns them in order.
func (n *Numbered[T]) Clear() []T {
	n.mu.Lock()
	defer n.mu.Unlock()
	elements := make([]T, 0, len(n.byID))
	for _, id := range slices.Sorted(maps.Keys(n.byID)) {
		elements = append(elements, n.byID[id])
	}
	n.byID = nil
	return elements
}

// IDs returns the numbers in order.
func (n *Numbered[T]) IDs() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(maps.Keys(n.byID))
}
