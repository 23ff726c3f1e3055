package btree

import "sync/atomic"

// Bounds of the number of entries in a node. A split, a merge or a rebalance leaves nodes far from
// the bounds, so that the next write does not undo it.
const (
	maxEntries   = 63 // one more until the split
	minEntries   = 16 // except in the root
	mergeEntries = 48 // merge two siblings up to this size
	growth       = 8  // capacity to add to a full node
)

type entry[V any] struct {
	key   key
	value V
}

// node holds sorted entries. Unless it is a leaf, it has a child before, between and after them.
type node[V any] struct {
	entries  []entry[V]
	children []*node[V]
	owner    *owner

	// The sums of [Tree.Sum], nil if they are not known. Trees that share the node may compute them
	// concurrently, with the same result.
	ownSum atomic.Pointer[sum] // of the entries of the node
	sum    atomic.Pointer[sum] // of all entries at and below it
}

func (n *node[V]) leaf() bool { return len(n.children) == 0 }

// search returns the index of the key, or the index at which to insert it. The child at that index
// is the one to search next.
func (n *node[V]) search(k key) (i int, found bool) {
	lo, hi := 0, len(n.entries)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if n.entries[mid].key.less(k) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(n.entries) && n.entries[lo].key == k
}
