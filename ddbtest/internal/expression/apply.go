package expression

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Apply returns what the update makes of an item. Every operand is read from the item as it is, and an index means the element that has it there:
// nothing in an update sees what else it does. An item that is not there yet is given as its key. It fails where the update does not suit the item;
// that what it makes is not too large, nor too deep, and has a valid key, is the caller's matter.
func (u *Update) Apply(item value.Map) (value.Map, error) {
	results := make([]value.Value, len(u.changes))
	for i, c := range u.changes {
		v, err := c.result(item)
		if err != nil {
			return nil, err
		}
		results[i] = v
	}
	return applier(results).toMap(&u.root, item)
}

// applier puts results in their places, building anew what is around them. A leaf is the number of its result.
type applier []value.Value

// inside applies the changes that are inside a value; nil is one that is not there.
func (a applier) inside(b *branch[int], v value.Value) (value.Value, error) {
	byIndex := b.children[0].element.isIndex()
	switch v := v.(type) {
	case value.Map:
		if !byIndex {
			return a.toMap(b, v)
		}
	case value.List:
		if byIndex {
			return a.toList(b, v)
		}
	}
	return nil, errPath()
}

func (a applier) toMap(b *branch[int], m value.Map) (value.Map, error) {
	changed := make(value.Map, 0, len(m)+len(b.children))
	for _, child := range b.children {
		name := child.element.Name
		before, _ := slices.BinarySearchFunc(m, name, func(a value.Attribute, name string) int { return strings.Compare(a.Name, name) })
		changed = append(changed, m[:before]...)
		m = m[before:]
		var old value.Value
		if len(m) > 0 && m[0].Name == name {
			old = m[0].Value
			m = m[1:]
		}
		v, err := a.child(child, old)
		if err != nil {
			return nil, err
		}
		if v != nil {
			changed = append(changed, value.Attribute{Name: name, Value: v})
		}
	}
	return append(changed, m...), nil
}

// toList changes elements by the indexes they have in l. What is set behind its end is appended in the order of the indexes, and what is left of it
// closes up.
func (a applier) toList(b *branch[int], l value.List) (value.List, error) {
	changed := slices.Clone(l)
	for _, child := range b.children {
		var old value.Value
		exists := child.element.Index < len(l)
		if exists {
			old = l[child.element.Index]
		}
		v, err := a.child(child, old)
		switch {
		case err != nil:
			return nil, err
		case exists:
			changed[child.element.Index] = v
		case v != nil:
			changed = append(changed, v)
		}
	}
	return slices.DeleteFunc(changed, func(v value.Value) bool { return v == nil }), nil
}

// child is what there will be in the place of old.
func (a applier) child(b *branch[int], old value.Value) (value.Value, error) {
	if b.isLeaf() {
		return a[b.leaf], nil
	}
	return a.inside(b, old)
}
