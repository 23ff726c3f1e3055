package expression

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxPathDepth is the largest number of elements in a path.
const maxPathDepth = 32

// Element is one element of a path: an attribute name, or a list index if Name is empty.
type Element struct {
	Name  string
	Index int
}

func (e Element) isIndex() bool { return e.Name == "" }

// String formats the element as in error messages, such as "[2]".
func (e Element) String() string {
	if e.isIndex() {
		return "[" + strconv.Itoa(e.Index) + "]"
	}
	return e.Name
}

// Path is the path to an attribute of an item, or to a nested attribute. It is not empty, and its
// first element is a name.
type Path []Element

// String formats the path as in error messages, such as "[pictures, [2], front]".
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, e := range p {
		parts[i] = e.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// LeafName returns the name that PartiQL gives to the value at the path: that of the last element,
// and the indexes that follow it, such as "front[2]".
func (p Path) LeafName() string {
	last := len(p) - 1
	for p[last].isIndex() {
		last--
	}
	var b strings.Builder
	for _, e := range p[last:] {
		b.WriteString(e.String())
	}
	return b.String()
}

// Find returns the value at the path, or nil.
func (p Path) Find(item value.Map) value.Value {
	found := item.Get(p[0].Name)
	for _, e := range p[1:] {
		if found == nil {
			return nil
		}
		found = e.find(found)
	}
	return found
}

func (p Path) equal(o Path) bool { return slices.Equal(p, o) }

// find returns the value of the element in a document, or nil.
func (e Element) find(document value.Value) value.Value {
	switch d := document.(type) {
	case value.Map:
		if !e.isIndex() {
			return d.Get(e.Name)
		}
	case value.List:
		if e.isIndex() && e.Index < len(d) {
			return d[e.Index]
		}
	}
	return nil
}

// topLevelNames returns the attributes with which the paths begin, without duplicates.
func topLevelNames(paths []Path) []string {
	names := make([]string, 0, len(paths))
	seen := make(map[string]bool, len(paths))
	for _, p := range paths {
		if name := p[0].Name; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
