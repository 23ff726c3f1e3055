package btree

import "sync/atomic"

// Tree is a map of keys in order. The zero value is empty and ready.
//
// Any number of goroutines may read one tree at once, and [Tree.Clone] is a read; a write ([Tree.Set], [Tree.Delete], [Tree.Clear]) must have
// the tree for itself. Trees that share nodes need no care for each other. A tree that was written to must not be copied by assignment, unless
// one of the two is never used again: that is what Clone is for.
type Tree[V any] struct {
	root   *node[V] // nil where the tree is empty
	length int
	owner  *owner
}

// owner marks the nodes that a tree may change in place: those that it made since it was last cloned. It is an identity, so it must not be of
// size zero.
type owner struct{ retired atomic.Bool }

// Len is the number of keys.
func (t *Tree[V]) Len() int { return t.length }

// Get returns the value of a key.
func (t *Tree[V]) Get(key string) (v V, ok bool) {
	k := newKey(key)
	for n := t.root; n != nil; {
		i, found := n.search(k)
		if found {
			return n.entries[i].value, true
		}
		if n.leaf() {
			break
		}
		n = n.children[i]
	}
	return v, false
}

// Clone returns a tree of the same content, in constant time: a snapshot, or a fork.
func (t *Tree[V]) Clone() *Tree[V] {
	if t.owner != nil {
		t.owner.retired.Store(true) // the nodes have two holders now: neither side may change them
	}
	return &Tree[V]{root: t.root, length: t.length}
}

// Clear removes all keys.
func (t *Tree[V]) Clear() { t.root, t.length = nil, 0 }

// Set gives a key its value, and returns the one that it had.
func (t *Tree[V]) Set(key string, v V) (old V, replaced bool) {
	w := t.writer()
	if t.root == nil {
		t.root = w.newNode(nil, nil)
	}
	t.root = w.own(t.root)
	old, replaced = w.set(t.root, newKey(key), v)
	if len(t.root.entries) > maxEntries {
		t.root = w.newNode(nil, []*node[V]{t.root})
		w.split(t.root, 0)
	}
	if !replaced {
		t.length++
	}
	return old, replaced
}

// Delete removes a key, and returns the value that it had. Where there is no such key it changes nothing, and copies nothing.
func (t *Tree[V]) Delete(key string) (old V, ok bool) {
	old, ok = t.Get(key)
	if !ok {
		return old, false
	}
	w := t.writer()
	t.root = w.own(t.root)
	w.remove(t.root, newKey(key))
	if len(t.root.entries) == 0 {
		if t.root.leaf() {
			t.root = nil
		} else {
			t.root = t.root.children[0]
		}
	}
	t.length--
	return old, true
}

// writer gives the right to change the tree's own nodes.
func (t *Tree[V]) writer() writer[V] {
	if t.owner == nil || t.owner.retired.Load() {
		t.owner = new(owner)
	}
	return writer[V]{t.owner}
}
