package btree

import (
	"iter"
	"slices"
)

// Changes ranges over the keys whose values differ in two trees, in ascending order. The value is
// that of the newer tree, or nil if it lacks the key. same reports whether two values are equal.
//
// Changes skips the nodes that the trees share. After a [Tree.Clone] it costs as much as the writes
// to one of the two.
func Changes[V any](older, newer *Tree[V], same func(a, b V) bool) iter.Seq2[string, *V] {
	return func(yield func(string, *V) bool) {
		c := comparison[V]{older: walkOf(older.root), newer: walkOf(newer.root), same: same, yield: yield}
		for c.older.more() || c.newer.more() {
			if !c.step() {
				return
			}
		}
	}
}

// comparison walks through two trees side by side.
type comparison[V any] struct {
	older, newer *walk[V]
	same         func(a, b V) bool
	yield        func(string, *V) bool
}

// step makes the walks shorter. It returns false if yield did.
func (c *comparison[V]) step() bool {
	switch {
	case !c.newer.more():
		return c.older.step(c.deleted)
	case !c.older.more():
		return c.newer.step(c.written)
	}
	x, y := c.older.top(), c.newer.top()
	switch a, b := x.lowest(), y.lowest(); {
	case x.node != nil && x.node == y.node:
		c.older.pop()
		c.newer.pop()
	case a.less(b):
		return c.older.step(c.deleted)
	case b.less(a):
		return c.newer.step(c.written)
	case x.node == nil && y.node == nil:
		c.older.pop()
		c.newer.pop()
		return c.same(x.entry.value, y.entry.value) || c.written(y.entry)
	default: // the lower subtree may be a part of the higher one, which is opened first
		if x.height >= y.height {
			c.older.open()
		}
		if y.height >= x.height {
			c.newer.open()
		}
	}
	return true
}

func (c *comparison[V]) deleted(e *entry[V]) bool { return c.yield(e.key.text, nil) }

func (c *comparison[V]) written(e *entry[V]) bool { return c.yield(e.key.text, &e.value) }

// part is a subtree or one entry of a tree.
type part[V any] struct {
	node   *node[V]
	height int       // of the subtree: 1 for a leaf
	entry  *entry[V] // if node is nil
}

// lowest returns the first key.
func (p *part[V]) lowest() key {
	n := p.node
	if n == nil {
		return p.entry.key
	}
	for !n.leaf() {
		n = n.children[0]
	}
	return n.entries[0].key
}

// walk is what a walk through a tree has not reached yet, the next part last.
type walk[V any] struct{ parts []part[V] }

func walkOf[V any](root *node[V]) *walk[V] {
	w := new(walk[V])
	if root == nil {
		return w
	}
	height := 1
	for n := root; !n.leaf(); n = n.children[0] {
		height++
	}
	w.parts = append(w.parts, part[V]{node: root, height: height})
	return w
}

func (w *walk[V]) more() bool { return len(w.parts) > 0 }

func (w *walk[V]) top() part[V] { return w.parts[len(w.parts)-1] }

func (w *walk[V]) pop() { w.parts = w.parts[:len(w.parts)-1] }

// open replaces the next part, a subtree, by its parts.
func (w *walk[V]) open() {
	p := w.top()
	w.pop()
	start := len(w.parts)
	for i := range p.node.entries {
		if !p.node.leaf() {
			w.parts = append(w.parts, part[V]{node: p.node.children[i], height: p.height - 1})
		}
		w.parts = append(w.parts, part[V]{entry: &p.node.entries[i]})
	}
	if !p.node.leaf() {
		w.parts = append(w.parts, part[V]{node: p.node.children[len(p.node.entries)], height: p.height - 1})
	}
	slices.Reverse(w.parts[start:])
}

// step opens the next part, or passes it to visit if it is an entry. It returns false if visit did.
func (w *walk[V]) step(visit func(*entry[V]) bool) bool {
	p := w.top()
	if p.node != nil {
		w.open()
		return true
	}
	w.pop()
	return visit(p.entry)
}
