package btree

import "sync/atomic"

// Tree is an ordered map. The zero value is an empty tree ready to use.
//
// Any number of goroutines may read one tree concurrently, and [Tree.Clone] is a read. A write
// ([Tree.Set], [Tree.Delete], [Tree.Clear]) needs exclusive access to its tree, but none to trees
// that share nodes with it. Do not copy a tree by assignment after a write, unless one of the two
// is never used again. Use Clone instead.
type Tree[V any] struct {
	root   *node[V] // nil if the tree is empty
	length int
	owner  *owner
}

// owner identifies the nodes that a tree may change in place: those that it created since it was
// last cloned. Its address is its identity, so its size must not be zero.
type owner struct{ retired atomic.Bool }

// Len returns the number of keys.
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

// Clone returns a tree with the same content, in constant time. It serves as a snapshot or as a
// fork.
func (t *Tree[V]) Clone() *Tree[V] {
	if t.owner != nil {
		t.owner.retired.Store(true) // Both trees share the nodes now. Neither may change them.
	}
	return &Tree[V]{root: t.root, length: t.length}
}

// Clear removes all keys.
func (t *Tree[V]) Clear() { t.root, t.length = nil, 0 }

// Set sets the value of a key, and returns the old value.
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

// Delete removes a key, and returns its value. If the key does not exist, it changes and copies
// nothing.
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

// writer returns a writer for the nodes that the tree owns.
func (t *Tree[V]) writer() writer[V] {
	if t.owner == nil || t.owner.retired.Load() {
		t.owner = new(owner)
	}
	return writer[V]{t.owner}
}
