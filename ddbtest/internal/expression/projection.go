package expression

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Projection is the attributes to return of an item. It is safe for concurrent use.
type Projection struct {
	paths  []Path
	root   pathTree[struct{}]
	leaves bool // each value is an attribute of its own
}

// ParseProjection parses a projection.
func ParseProjection(text string, p *Placeholders) (*Projection, error) {
	s := sourceText{"ProjectionExpression", text}
	parsed, err := parseProjection(s)
	if err != nil {
		return nil, err
	}
	nodes := make([]node, len(parsed))
	for i, path := range parsed {
		if err := s.checkPath(path); err != nil {
			return nil, err
		}
		nodes[i] = path
	}
	return newProjection(s, nodes, p)
}

// newProjection binds the paths of a projection.
func newProjection(s sourceText, paths []node, p *Placeholders) (*Projection, error) {
	b, projection := newBinder(s, p), &Projection{}
	// The service checks the paths in reverse order, which is visible if two of them are invalid.
	for _, path := range slices.Backward(paths) {
		bound, err := b.bindPath(path)
		if err != nil {
			return nil, err
		}
		if err := projection.root.add(s, bound, struct{}{}); err != nil {
			return nil, err
		}
	}
	slices.Reverse(b.paths)
	projection.paths = b.paths
	return projection, b.finish()
}

// Paths returns the paths in the order of the expression. The caller must not change them.
func (p *Projection) Paths() []Path { return p.paths }

// TopLevelNames returns the attributes with which the paths begin, without duplicates.
func (p *Projection) TopLevelNames() []string { return topLevelNames(p.paths) }

// Apply returns the values at the paths, inside the maps and lists around them. A list keeps only
// the requested elements, in their order. The result is empty, but not nil, if the item has no
// value at any path.
func (p *Projection) Apply(item value.Map) value.Map {
	if p.leaves {
		return p.pickLeaves(item)
	}
	if picked := pickFromMap(&p.root, item); picked != nil {
		return picked
	}
	return value.Map{}
}

// pickLeaves returns each value as an attribute of its own.
func (p *Projection) pickLeaves(item value.Map) value.Map {
	picked := value.Map{}
	for _, path := range p.paths {
		if v := path.Find(item); v != nil {
			picked = picked.With(path.LeafName(), v)
		}
	}
	return picked
}

// pick returns the part of a value that the tree selects, or nil.
func pick[L any](b *pathTree[L], v value.Value) value.Value {
	if b.isLeaf() {
		return v
	}
	switch v := v.(type) {
	case value.Map:
		if picked := pickFromMap(b, v); picked != nil {
			return picked
		}
	case value.List:
		if picked := pickFromList(b, v); picked != nil {
			return picked
		}
	}
	return nil
}

func pickFromMap[L any](b *pathTree[L], m value.Map) value.Map {
	var picked value.Map
	for _, child := range b.children {
		if v := pickChild(child, m); v != nil {
			picked = append(picked, value.Attribute{Name: child.element.Name, Value: v})
		}
	}
	return picked
}

func pickFromList[L any](b *pathTree[L], l value.List) value.List {
	var picked value.List
	for _, child := range b.children {
		if v := pickChild(child, l); v != nil {
			picked = append(picked, v)
		}
	}
	return picked
}

func pickChild[L any](child *pathTree[L], document value.Value) value.Value {
	v := child.element.find(document)
	if v == nil {
		return nil
	}
	return pick(child, v)
}

// parseProjection parses a whole projection: paths separated by commas.
func parseProjection(s sourceText) ([]*documentPath, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	var paths []*documentPath
	for {
		path, err := p.path()
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
		if !p.skip(commaToken) {
			return paths, p.finish()
		}
	}
}
