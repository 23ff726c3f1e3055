package expression

import (
	"cmp"
	"slices"
)

// pathTree is a node of a tree of paths: those of a projection, or of an update's targets. No path
// is a prefix of another. The children of a node are either all names or all indexes.
type pathTree[L any] struct {
	element  Element
	path     Path           // the first path that was added through it
	children []*pathTree[L] // sorted: names by their bytes, indexes by number
	leaf     L              // set if path ends here; there are no children then
}

// add adds a path with its leaf to the tree with root b. It returns an error if the path overlaps
// or conflicts with another one.
func (b *pathTree[L]) add(s sourceText, path Path, leaf L) error {
	at := b
	for depth, e := range path {
		if depth > 0 && len(at.children) == 0 {
			return s.errTwoPaths("overlap", path, at.path)
		}
		if depth > 0 && at.children[0].element.isIndex() != e.isIndex() {
			return s.errTwoPaths("conflict", path, at.path)
		}
		i, found := slices.BinarySearchFunc(at.children, e, func(c *pathTree[L], e Element) int { return c.element.compare(e) })
		if !found {
			at.children = slices.Insert(at.children, i, newPathTree(path[depth:], path, leaf))
			return nil
		}
		at = at.children[i]
	}
	return s.errTwoPaths("overlap", path, at.path)
}

// newPathTree returns a tree for the rest of a path.
func newPathTree[L any](rest, path Path, leaf L) *pathTree[L] {
	b := &pathTree[L]{element: rest[len(rest)-1], path: path, leaf: leaf}
	for i := len(rest) - 2; i >= 0; i-- {
		b = &pathTree[L]{element: rest[i], path: path, children: []*pathTree[L]{b}}
	}
	return b
}

func (b *pathTree[L]) isLeaf() bool { return len(b.children) == 0 }

func (e Element) compare(o Element) int {
	return cmp.Or(cmp.Compare(e.Name, o.Name), cmp.Compare(e.Index, o.Index))
}

func (s sourceText) errTwoPaths(fault string, one, two Path) error {
	return s.errorf("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", fault, one, two)
}
