package value

import (
	"slices"
	"strings"
)

// Attribute is a name with its value.
type Attribute struct {
	Name  string
	Value Value
}

// Map is a map of attributes, or an item. It is sorted by name, without duplicates, and must not be
// changed. [Map.With] and [Map.Without] return changed copies.
type Map []Attribute

// MapOf makes a map of attributes in any order. It sorts and keeps the slice. Of equal names the
// last one wins.
func MapOf(attributes ...Attribute) Map {
	slices.SortStableFunc(attributes, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	kept := attributes[:0]
	for i, a := range attributes {
		if i+1 == len(attributes) || attributes[i+1].Name != a.Name {
			kept = append(kept, a)
		}
	}
	return kept
}

// find returns the index of a name, or the index at which to insert it.
func (m Map) find(name string) (int, bool) {
	lo, hi := 0, len(m)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m[mid].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(m) && m[lo].Name == name
}

// few is the size up to which a map is searched from its beginning, which is faster then.
const few = 8

// Get returns the value of an attribute, or nil.
func (m Map) Get(name string) Value {
	if len(m) <= few {
		for i := range m {
			if m[i].Name == name {
				return m[i].Value
			}
		}
		return nil
	}
	if i, ok := m.find(name); ok {
		return m[i].Value
	}
	return nil
}

// With returns a copy with the attribute set to v.
func (m Map) With(name string, v Value) Map {
	i, ok := m.find(name)
	if ok {
		c := slices.Clone(m)
		c[i].Value = v
		return c
	}
	c := make(Map, 0, len(m)+1)
	c = append(c, m[:i]...)
	c = append(c, Attribute{name, v})
	return append(c, m[i:]...)
}

// Without returns a copy without the attribute, or m itself if there is none.
func (m Map) Without(name string) Map {
	i, ok := m.find(name)
	if !ok {
		return m
	}
	c := make(Map, 0, len(m)-1)
	c = append(c, m[:i]...)
	return append(c, m[i+1:]...)
}

// Pick returns the attributes with the given names, if they exist.
func (m Map) Pick(names ...string) Map {
	picked := make([]Attribute, 0, len(names))
	for _, name := range names {
		if v := m.Get(name); v != nil {
			picked = append(picked, Attribute{name, v})
		}
	}
	return MapOf(picked...)
}
