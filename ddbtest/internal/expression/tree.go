package expression

import (
	"cmp"
	"slices"
)

// branch is a node of a tree of paths: those of a projection, or of an update's targets. No path is
// a prefix of another. The children of a branch are either all names or all indexes.
type branch[L any] struct {
	element  Element
	path     Path         // the first path that was added through it
	children []*branch[L] // sorted: names by their bytes, indexes by number
	leaf     L            // set if path ends here; there are no children then
}

// grow adds a path with its leaf to the tree with root b. It returns an error if the path overlaps
// or conflicts with another one.
func (b *branch[L]) grow(s source, path Path, leaf L) error {
	at := b
	for depth, e := range path {
		if depth > 0 && len(at.children) == 0 {
			return s.refuseTwo("overlap", path, at.path)
		}
		if depth > 0 && at.children[0].element.isIndex() != e.isIndex() {
			return s.refuseTwo("conflict", path, at.path)
		}
		i, found := slices.BinarySearchFunc(at.children, e, func(c *branch[L], e Element) int { return c.element.compare(e) })
		if !found {
			at.children = slices.Insert(at.children, i, sprout(path[depth:], path, leaf))
			return nil
		}
		at = at.children[i]
	}
	return s.refuseTwo("overlap", path, at.path)
}

// sprout returns a branch for the rest of a path.
func sprout[L any](rest, path Path, leaf L) *branch[L] {
	b := &branch[L]{element: rest[len(rest)-1], path: path, leaf: leaf}
	for i := len(rest) - 2; i >= 0; i-- {
		b = &branch[L]{element: rest[i], path: path, children: []*branch[L]{b}}
	}
	return b
}

func (b *branch[L]) isLeaf() bool { return len(b.children) == 0 }

func (e Element) compare(o Element) int {
	return cmp.Or(cmp.Compare(e.Name, o.Name), cmp.Compare(e.Index, o.Index))
}

func (s source) refuseTwo(fault string, one, two Path) error {
	return s.refuse("Two document paths %s with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", fault, one, two)
}
