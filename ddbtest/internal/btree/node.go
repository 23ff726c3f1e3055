package btree

// The bounds of a node's entries. What a split, a merge or a sharing leaves is far from the bounds, so that no write undoes what the one before it
// did to the shape.
const (
	maxEntries   = 63 // one more for a moment, before a split
	minEntries   = 16 // but for the root
	mergeEntries = 48 // two neighbors that fit into so many become one
	growth       = 8  // a node without room gets room for so many more
)

type entry[V any] struct {
	key   key
	value V
}

// node holds entries in order and, unless it is a leaf, a child before, between and behind them.
type node[V any] struct {
	entries  []entry[V]
	children []*node[V]
	owner    *owner
}

func (n *node[V]) leaf() bool { return len(n.children) == 0 }

// search returns the place of the key, or where it would stand: the child there is where to go on.
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
