package btree

import "slices"

// writer changes the nodes of one tree. Its methods take and return owned nodes only.
type writer[V any] struct{ owner *owner }

func (w writer[V]) newNode(entries []entry[V], children []*node[V]) *node[V] {
	n := &node[V]{owner: w.owner, entries: withCapacity(entries, len(entries))}
	if len(children) > 0 {
		n.children = append(make([]*node[V], 0, cap(n.entries)+1), children...)
	}
	return n
}

// withCapacity copies entries to a slice with capacity for n, rounded up to what the allocator
// provides.
func withCapacity[V any](entries []entry[V], n int) []entry[V] {
	return append(slices.Grow([]entry[V](nil), n), entries...)
}

// own returns the node if the writer owns it, or else a copy.
func (w writer[V]) own(n *node[V]) *node[V] {
	if n.owner == w.owner {
		return n
	}
	c := w.newNode(n.entries, n.children)
	c.ownSum.Store(n.ownSum.Load())
	return c
}

// child returns the i-th child. It replaces a child that the writer does not own by a copy.
func (w writer[V]) child(n *node[V], i int) *node[V] {
	c := w.own(n.children[i])
	n.children[i] = c
	return c
}

// set sets the value of the key below n. It may leave n with one entry too many.
func (w writer[V]) set(n *node[V], k key, v V) (old V, replaced bool) {
	i, found := n.search(k)
	n.forgetSum()
	if found {
		n.forgetOwnSum()
		old, n.entries[i].value = n.entries[i].value, v
		return old, true
	}
	if n.leaf() {
		n.insert(i, entry[V]{k, v})
		return old, false
	}
	old, replaced = w.set(w.child(n, i), k, v)
	if len(n.children[i].entries) > maxEntries {
		w.split(n, i)
	}
	return old, replaced
}

// insert inserts an entry at index i.
func (n *node[V]) insert(i int, e entry[V]) {
	n.forgetOwnSum()
	if len(n.entries) == cap(n.entries) {
		n.entries = withCapacity(n.entries, len(n.entries)+growth)
	}
	n.entries = slices.Insert(n.entries, i, e)
}

// split splits the i-th child in two, with its middle entry between them.
func (w writer[V]) split(n *node[V], i int) {
	full := n.children[i]
	middle := len(full.entries) / 2
	var low, high []*node[V]
	if !full.leaf() {
		low, high = full.children[:middle+1], full.children[middle+1:]
	}
	n.children[i] = w.newNode(full.entries[:middle], low)
	n.insert(i, full.entries[middle])
	n.children = slices.Insert(n.children, i+1, w.newNode(full.entries[middle+1:], high))
}

// remove removes an existing key below n. It may leave n with too few entries.
func (w writer[V]) remove(n *node[V], k key) {
	i, found := n.search(k)
	n.forgetSum()
	switch {
	case n.leaf():
		n.forgetOwnSum()
		n.entries = slices.Delete(n.entries, i, i+1)
		return
	// The entry before it replaces it.
	case found:
		n.forgetOwnSum()
		n.entries[i] = w.removeLast(w.child(n, i))
	default:
		w.remove(w.child(n, i), k)
	}
	w.rebalance(n, i)
}

// removeLast removes the last entry below n.
func (w writer[V]) removeLast(n *node[V]) entry[V] {
	last := len(n.entries) - 1
	n.forgetSum()
	if n.leaf() {
		n.forgetOwnSum()
		e := n.entries[last]
		n.entries = slices.Delete(n.entries, last, last+1)
		return e
	}
	e := w.removeLast(w.child(n, last+1))
	w.rebalance(n, last+1)
	return e
}

// rebalance makes sure that the i-th child has enough entries: it merges the child with a sibling,
// or balances the two.
func (w writer[V]) rebalance(n *node[V], i int) {
	if len(n.children[i].entries) >= minEntries {
		return
	}
	i = min(i, len(n.entries)-1) // the left one of the two
	left, right := n.children[i], n.children[i+1]
	entries := slices.Concat(left.entries, n.entries[i:i+1], right.entries)
	children := slices.Concat(left.children, right.children)
	n.children[i] = w.newNode(entries, children)
	n.forgetOwnSum()
	n.entries = slices.Delete(n.entries, i, i+1)
	n.children = slices.Delete(n.children, i+1, i+2)
	if len(entries) > mergeEntries {
		w.split(n, i)
	}
}
