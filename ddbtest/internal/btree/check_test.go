package btree

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// check reports what is wrong with the structure of the tree.
func (t *Tree[V]) check() error {
	if t.root == nil {
		if t.length != 0 {
			return differs("an empty tree of %d keys", t.length)
		}
		return nil
	}
	c := checker[V]{depth: -1}
	if err := c.node(t.root, 0, true); err != nil {
		return err
	}
	if c.count != t.length {
		return differs("%d keys that are counted as %d", c.count, t.length)
	}
	return nil
}

type checker[V any] struct {
	depth int // depth of the leaves; -1 before the first
	count int
	last  *key
}

func (c *checker[V]) node(n *node[V], depth int, root bool) error {
	least := minEntries
	if root {
		least = 1
	}
	switch {
	case len(n.entries) < least || len(n.entries) > maxEntries:
		return differs("a node of %d entries", len(n.entries))
	case !n.leaf() && len(n.children) != len(n.entries)+1:
		return differs("a node of %d entries and %d children", len(n.entries), len(n.children))
	case n.leaf() && c.depth == -1:
		c.depth = depth
	case n.leaf() && c.depth != depth:
		return differs("leaves at depths %d and %d", c.depth, depth)
	}
	if err := checkSpareCapacity(n); err != nil {
		return err
	}
	for i := range n.entries {
		if err := c.child(n, i, depth); err != nil {
			return err
		}
		if err := c.key(n.entries[i].key); err != nil {
			return err
		}
	}
	return c.child(n, len(n.entries), depth)
}

func (c *checker[V]) child(n *node[V], i, depth int) error {
	if n.leaf() {
		return nil
	}
	return c.node(n.children[i], depth+1, false)
}

func (c *checker[V]) key(k key) error {
	if k != newKey(k.text) {
		return differs("%q has the head %x", k.text, k.head)
	}
	if c.last != nil && c.last.text >= k.text {
		return differs("%q is behind %q", k.text, c.last.text)
	}
	c.last = &k
	c.count++
	return nil
}

// checkSpareCapacity reports whether a node still references removed entries or children.
func checkSpareCapacity[V any](n *node[V]) error {
	for _, e := range n.entries[len(n.entries):cap(n.entries)] {
		if e.key != (key{}) {
			return differs("%q is kept behind a node's end", e.key.text)
		}
	}
	for _, c := range n.children[len(n.children):cap(n.children)] {
		if c != nil {
			return differs("a child is kept behind a node's end")
		}
	}
	return nil
}

func TestCheckFindsBrokenTrees(t *testing.T) {
	t.Parallel()
	for name, breakIt := range map[string]func(t *Tree[int]){
		"order":        func(t *Tree[int]) { e := t.root.entries; e[0], e[1] = e[1], e[0] },
		"order inside": func(t *Tree[int]) { c := t.root.children; c[0], c[1] = c[1], c[0] },
		"head":         func(t *Tree[int]) { t.root.entries[0].key.head++ },
		"count":        func(t *Tree[int]) { t.length++ },
		"empty":        func(t *Tree[int]) { t.root = nil },
		"too few":      func(t *Tree[int]) { n := t.root.children[0]; n.entries = n.entries[:minEntries-1] },
		"too many": func(t *Tree[int]) {
			n := t.root.children[0]
			for len(n.entries) <= maxEntries {
				n.entries = append(n.entries, n.entries[0])
			}
		},
		"a child too few": func(t *Tree[int]) { t.root.children = t.root.children[1:] },
		"not all as deep": func(t *Tree[int]) {
			t.root.children[1] = &node[int]{children: t.root.children, entries: t.root.entries}
		},
		"an entry is kept": func(t *Tree[int]) { t.root.entries[:3][2] = t.root.entries[0] },
		"a child is kept":  func(t *Tree[int]) { t.root.children[:4][3] = t.root.children[0] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := new(Tree[int])
			for i := range 100 {
				tree.Set(fmt.Sprintf("key%03d", i), i)
			}
			require.Len(t, tree.root.entries, 2)
			require.NoError(t, tree.check())
			breakIt(tree)
			require.ErrorIs(t, tree.check(), errDiffers)
		})
	}
}
