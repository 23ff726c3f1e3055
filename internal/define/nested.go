package define

import (
	"reflect"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/tag"
)

// nested checks the tags inside the entity's fields, at any depth. It reports each role or marker
// there. It checks each struct type once. It skips types that marshal themselves, because their
// fields are not stored.
func (c *compiler) nested() {
	n := nesting{c, map[reflect.Type]bool{}}
	for _, f := range c.plan.Shape.Fields() {
		n.inside(f.Node, f.GoName, f.Index[0])
	}
}

// nesting is the state of one run of nested: the compiler and the types already checked.
type nesting struct {
	*compiler
	seen map[reflect.Type]bool
}

// inside checks the struct of a node. The node can be the struct, a pointer to it, or a container
// of it.
func (n nesting) inside(node *codec.Node, path string, pos int) {
	s := node.Nested()
	if s == nil || n.seen[s.Type] || !n.tags(s.Type, path, pos) {
		return
	}
	for _, f := range s.Fields() {
		n.inside(f.Node, path+"."+f.GoName, pos)
	}
}

// tags checks the tags of a struct type's fields, including those of embedded structs. It returns
// false if the type declares a marker, which it reports as one fault.
func (n nesting) tags(t reflect.Type, path string, pos int) bool {
	n.seen[t] = true
	if marker := n.markerIn(t); marker != nil {
		n.add(located{Fault{
			Field: path, Offset: -1,
			Reason: t.String() + " declares " + marker.String() + ", and is stored as a part of " + typeName(n.typ) + " here: its keys and roles would do nothing",
			Hint:   "use a struct without markers and roles for the part; or store it as an item of its own, and tag the field " + notStored,
		}, pos})
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		pairs := n.tagOf(f, at, pos, codec.TagKey)
		for _, p := range pairs {
			if p.Key == roleTag || misspelled(p.Key, pairs, roleTag) != "" {
				n.roleInside(at, p, pos)
			}
		}
		if base := embedded(f.Type); f.Anonymous && base != nil && attributeName(pairs) == "" && !n.seen[base] {
			n.tags(base, at, pos)
		}
	}
	return true
}

// markerIn returns the type of the marker that a struct type declares, or nil.
func (n nesting) markerIn(t reflect.Type) reflect.Type {
	for i := range t.NumField() {
		if f := t.Field(i).Type; n.isMarker(f) {
			return f
		}
	}
	return nil
}

// roleInside reports a role of a field inside another field.
func (n nesting) roleInside(path string, role tag.Pair, pos int) {
	hint := "move the field into " + typeName(n.typ) + " itself, or drop the role"
	if first := n.typ.Field(pos); first.Anonymous && strings.Count(path, ".") == 1 {
		hint = "leave the name out of the tag of " + first.Name + ", so that its fields count as the entity's own, or drop the role"
	}
	n.add(located{Fault{Field: path, Tag: role.Key, Text: role.Value, Offset: -1, Reason: "roles work on the entity's own fields only, not on fields inside of them", Hint: hint}, pos})
}
