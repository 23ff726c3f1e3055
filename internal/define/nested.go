package define

import (
	"reflect"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/tag"
)

// checkNested checks the tags inside the entity's fields, at any depth. It reports each role or
// marker there. It checks each struct type once. It skips types that marshal themselves, because
// their fields are not stored.
func (c *compiler) checkNested() {
	c.nested = map[reflect.Type]bool{}
	for _, f := range c.plan.Shape.Fields() {
		c.checkNode(f.Node, f.GoName, f.Index[0])
	}
}

// checkNode checks the struct of a node. The node can be the struct, a pointer to it, or a
// container of it.
func (c *compiler) checkNode(node *codec.Node, path string, pos int) {
	s := node.Nested()
	if s == nil || c.nested[s.Type] || !c.checkTags(s.Type, path, pos) {
		return
	}
	for _, f := range s.Fields() {
		c.checkNode(f.Node, path+"."+f.GoName, pos)
	}
}

// checkTags checks the tags of a struct type's fields, including those of embedded structs. It
// returns false if the type declares a marker, which it reports as one issue.
func (c *compiler) checkTags(t reflect.Type, path string, pos int) bool {
	c.nested[t] = true
	if marker := c.markerIn(t); marker != nil {
		c.add(place{field: path, pos: pos}.issue(
			t.String()+" declares "+marker.String()+", but is stored inside "+typeName(c.typ)+" here, where keys and roles have no effect",
			"use a struct without markers and roles; or store it as a separate item, and tag the field "+unstoredTag,
		))
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		pairs := c.tagOf(f, at, pos, codec.TagKey)
		for _, p := range pairs {
			if p.Key == roleTag || misspelled(p.Key, pairs, roleTag) != "" {
				c.addNestedRole(at, p, pos)
			}
		}
		if base := embeddedStruct(f.Type); f.Anonymous && base != nil && attributeName(pairs) == "" && !c.nested[base] {
			c.checkTags(base, at, pos)
		}
	}
	return true
}

// markerIn returns the type of the marker that a struct type declares, or nil.
func (c *compiler) markerIn(t reflect.Type) reflect.Type {
	for i := range t.NumField() {
		if f := t.Field(i).Type; c.isMarker(f) {
			return f
		}
	}
	return nil
}

// addNestedRole reports a role of a field inside another field.
func (c *compiler) addNestedRole(path string, role tag.Pair, pos int) {
	hint := "move the field into " + typeName(c.typ) + " itself, or drop the role"
	if first := c.typ.Field(pos); first.Anonymous && strings.Count(path, ".") == 1 {
		hint = "leave the name out of the tag of " + first.Name + ", so that its fields count as the entity's own, or drop the role"
	}
	c.add(place{path, role.Key, role.Value, pos}.issue("only the entity's own fields can have roles, not fields inside them", hint))
}
