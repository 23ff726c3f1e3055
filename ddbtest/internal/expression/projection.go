package expression

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Projection is what to return of an item. It may be shared by goroutines.
type Projection struct {
	paths []Path
	root  branch[struct{}]
}

// ParseProjection understands a projection.
func ParseProjection(text string, p *Placeholders) (*Projection, error) {
	s := source{"ProjectionExpression", text}
	parsed, err := parseProjection(s)
	if err != nil {
		return nil, err
	}
	for _, path := range parsed {
		if err := s.checkPath(path); err != nil {
			return nil, err
		}
	}
	b, projection := newBinder(s, p), &Projection{}
	for _, path := range slices.Backward(parsed) { // as the service does, which shows where there are two faults
		bound, err := b.path(path)
		if err != nil {
			return nil, err
		}
		if err := projection.root.grow(s, bound, struct{}{}); err != nil {
			return nil, err
		}
	}
	slices.Reverse(b.paths)
	projection.paths = b.paths
	return projection, b.finish()
}

// Paths are the paths to return, in the order of the text. The caller may not change them.
func (p *Projection) Paths() []Path { return p.paths }

// TopLevelNames are the attributes that the paths begin with, each once.
func (p *Projection) TopLevelNames() []string { return topLevelNames(p.paths) }

// Apply returns what an item has at the paths, in the maps and lists around it. Of a list only the elements asked for are left, in their order. An
// item that has nothing there becomes an empty one, which is not nil.
func (p *Projection) Apply(item value.Map) value.Map {
	if picked := pickFromMap(&p.root, item); picked != nil {
		return picked
	}
	return value.Map{}
}

// pick returns what of a value the branch leads to, or nil.
func pick[L any](b *branch[L], v value.Value) value.Value {
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

func pickFromMap[L any](b *branch[L], m value.Map) value.Map {
	var picked value.Map
	for _, child := range b.children {
		if v := pickChild(child, m); v != nil {
			picked = append(picked, value.Attribute{Name: child.element.Name, Value: v})
		}
	}
	return picked
}

func pickFromList[L any](b *branch[L], l value.List) value.List {
	var picked value.List
	for _, child := range b.children {
		if v := pickChild(child, l); v != nil {
			picked = append(picked, v)
		}
	}
	return picked
}

func pickChild[L any](child *branch[L], document value.Value) value.Value {
	v := child.element.find(document)
	if v == nil {
		return nil
	}
	return pick(child, v)
}
