package btree

import "iter"

// From ranges over the keys greater than or equal to lo, in ascending order. From("") ranges over
// all keys. To write to the tree during the iteration, range over a clone.
func (t *Tree[V]) From(lo string) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		if t.root != nil {
			t.root.from(newKey(lo), yield)
		}
	}
}

// Before ranges over the keys less than hi, in descending order. To write to the tree during the
// iteration, range over a clone.
func (t *Tree[V]) Before(hi string) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		if t.root != nil {
			t.root.before(newKey(hi), yield)
		}
	}
}

// Last ranges over all keys in descending order. To write to the tree during the iteration, range
// over a clone.
func (t *Tree[V]) Last() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		if t.root != nil {
			t.root.down(yield)
		}
	}
}

// from yields the keys greater than or equal to lo. It returns false if yield did, as do the
// methods below.
func (n *node[V]) from(lo key, yield func(string, V) bool) bool {
	i, found := n.search(lo)
	if !found && !n.leaf() && !n.children[i].from(lo, yield) {
		return false
	}
	return n.upFrom(i, yield)
}

// up yields all entries in ascending order.
func (n *node[V]) up(yield func(string, V) bool) bool {
	if !n.leaf() && !n.children[0].up(yield) {
		return false
	}
	return n.upFrom(0, yield)
}

// upFrom yields the i-th entry and all entries after it.
func (n *node[V]) upFrom(i int, yield func(string, V) bool) bool {
	for ; i < len(n.entries); i++ {
		if !yield(n.entries[i].key.text, n.entries[i].value) {
			return false
		}
		if !n.leaf() && !n.children[i+1].up(yield) {
			return false
		}
	}
	return true
}

// before yields the entries before hi, in descending order.
func (n *node[V]) before(hi key, yield func(string, V) bool) bool {
	i, _ := n.search(hi)
	if !n.leaf() && !n.children[i].before(hi, yield) {
		return false
	}
	return n.downFrom(i, yield)
}

// down yields all entries in descending order.
func (n *node[V]) down(yield func(string, V) bool) bool {
	last := len(n.entries)
	if !n.leaf() && !n.children[last].down(yield) {
		return false
	}
	return n.downFrom(last, yield)
}

// downFrom yields the entries before the i-th, except those in the child before it, in descending
// order.
func (n *node[V]) downFrom(i int, yield func(string, V) bool) bool {
	for i--; i >= 0; i-- {
		if !yield(n.entries[i].key.text, n.entries[i].value) {
			return false
		}
		if !n.leaf() && !n.children[i].down(yield) {
			return false
		}
	}
	return true
}
