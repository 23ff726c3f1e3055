package expression

import (
	"errors"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Apply returns the updated item. All operands are read from the original item, and list indexes
// refer to the original lists, so no action sees the result of another. For an item that does not
// exist yet, pass its key. Apply returns an error if the update does not fit the item. The caller
// must check the size, the depth and the keys of the result.
func (u *Update) Apply(item value.Map) (value.Map, error) {
	results := make([]value.Value, len(u.changes))
	for i, c := range u.changes {
		v, err := c.result(item)
		if u.mismatch != nil && errors.Is(err, errIncorrectType) {
			err = u.mismatch
		}
		if err != nil {
			return nil, err
		}
		results[i] = v
	}
	return applier(results).toMap(&u.root, item)
}

// applier sets the results of the changes, and copies the documents around them. The leaf of a
// tree is the index of its result.
type applier []value.Value

// toValue applies the changes inside a value. It is nil if the attribute does not exist.
func (a applier) toValue(b *pathTree[int], v value.Value) (value.Value, error) {
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

func (a applier) toMap(b *pathTree[int], m value.Map) (value.Map, error) {
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

// toList changes elements by their indexes in l. Elements set beyond the end are appended in the
// order of their indexes. Removed elements leave no gap.
func (a applier) toList(b *pathTree[int], l value.List) (value.List, error) {
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

// child returns the new value of the child; nil removes it.
func (a applier) child(b *pathTree[int], old value.Value) (value.Value, error) {
	if b.isLeaf() {
		return a[b.leaf], nil
	}
	return a.toValue(b, old)
}
