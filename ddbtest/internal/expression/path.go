package expression

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// maxPathDepth is how many elements a path may have.
const maxPathDepth = 32

// Element is one step of a path: an attribute's name, or where Name is empty the index of a list's element.
type Element struct {
	Name  string
	Index int
}

func (e Element) isIndex() bool { return e.Name == "" }

// String is the element as the service writes it, such as "[2]".
func (e Element) String() string {
	if e.isIndex() {
		return "[" + strconv.Itoa(e.Index) + "]"
	}
	return e.Name
}

// Path leads to an attribute of an item, or to something inside it. The first element is a name; there is at least that.
type Path []Element

// String is the path as the service writes it, such as "[pictures, [2], front]".
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, e := range p {
		parts[i] = e.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Find returns what an item has at the path, or nil.
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

// find returns what a document has under the element, or nil.
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

// topLevelNames are the attributes that paths begin with, each once.
func topLevelNames(paths []Path) []string {
	names := make([]string, 0, len(paths))
	for _, p := range paths {
		if !slices.Contains(names, p[0].Name) {
			names = append(names, p[0].Name)
		}
	}
	return names
}
