package schemadiff

import (
	"fmt"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// location is a place in stored items of a type: a path of attributes.
type location struct {
	entity, path string
	field        string                          // the Go path of the field
	node         *codec.Node                     // its Go type; nil if it has none
	rest         bool                            // attributes without a field are kept
	seen         map[[2]*schemadoc.Contents]bool // the pairs already compared; types can be recursive
}

// at returns the location of a struct attribute or a map value.
func (l location) at(name string) location {
	path := name
	if l.path != "" {
		path = l.path + "." + name
	}
	if l.node == nil || l.node.Base().Struct == nil {
		next := l.elements()
		next.path = path
		return next
	}
	next := location{entity: l.entity, path: path, seen: l.seen}
	if f := l.node.Base().Struct.ByName(name); f != nil {
		next.node, next.field = f.Node, f.GoName
		if l.field != "" {
			next.field = l.field + "." + f.GoName
		}
	}
	return next
}

// elements returns the location of the elements of a list, a set or a map.
func (l location) elements() location {
	next := location{entity: l.entity, path: l.path + "[]", seen: l.seen}
	if l.node != nil {
		next.node, next.field = l.node.Base().Elem, l.field+"[]"
	}
	return next
}

// attributes compares the attributes of a type or of a nested struct.
func (c *comparison) attributes(l location, was, is map[string]*schemadoc.Layout) {
	var removed, added []string
	for _, name := range sorted(was) {
		if is[name] == nil {
			removed = append(removed, name)
			continue
		}
		c.layout(l.at(name), was[name], is[name])
	}
	for _, name := range sorted(is) {
		if was[name] == nil {
			added = append(added, name)
		}
	}
	if len(removed) == 1 && len(added) == 1 && is[added[0]].Text == was[removed[0]].Text {
		c.add("attribute %s of %s was removed, and %s is new, in field %s: if it was renamed, write every stored %s again; it lacks the new one until then",
			l.at(removed[0]).path, l.entity, l.at(added[0]).path, l.at(added[0]).field, l.entity)
		return
	}
	for _, name := range removed {
		until := "until it is put again"
		if l.rest {
			until = "as an attribute without a field, also when it is put again"
		}
		c.add("attribute %s of %s was removed: every stored %s keeps it %s", l.at(name).path, l.entity, l.entity, until)
	}
	for _, name := range added {
		at := l.at(name)
		c.add("attribute %s of %s is new, stored as %s, in field %s of type %s: a stored %s lacks it; it is decoded as %s, and no comparison with it is true%s",
			at.path, l.entity, is[name].Text, at.field, at.node.Type, l.entity, zero(at.node), exceptNil(at.node))
	}
	if len(removed) > 0 && len(added) > 0 {
		c.add("attributes of %s were removed, and others are new: if one was renamed, write every stored %s again; it lacks the new one until then",
			l.entity, l.entity)
	}
}

// exceptNil returns the comparison that is true for an absent attribute, or "".
func exceptNil(n *codec.Node) string {
	if zero(n) == "nil" {
		return " except Eq(nil)"
	}
	return ""
}

// zero returns the zero value of a Go type for messages.
func zero(n *codec.Node) string {
	switch n.Kind {
	case codec.KindString, codec.KindNumber:
		return `""`
	case codec.KindInt, codec.KindUint, codec.KindFloat:
		return "0"
	case codec.KindBool:
		return "false"
	case codec.KindTime:
		return "the zero time"
	case codec.KindPtr, codec.KindBytes, codec.KindList, codec.KindMap, codec.KindAny, codec.KindRaw:
		return "nil"
	default:
		return "its zero value"
	}
}

// layout compares the storage formats of a location.
func (c *comparison) layout(l location, was, is *schemadoc.Layout) {
	if !c.decoding(l, was, is) || was.Contents == nil {
		return
	}
	before, after := was.Contents, is.Contents
	if l.seen[[2]*schemadoc.Contents{before, after}] {
		return
	}
	l.seen[[2]*schemadoc.Contents{before, after}] = true
	elements := elementsOf(is)
	switch {
	case after != nil && after.Fields != nil && before.Fields != nil:
		c.attributes(l, before.Fields, after.Fields)
	case after != nil && after.Fields != nil:
		for _, name := range sorted(after.Fields) {
			c.layout(l.at(name), before.Elements, after.Fields[name])
		}
	case elements == nil:
	case before.Fields != nil:
		for _, name := range sorted(before.Fields) {
			c.layout(l.at(name), before.Fields[name], elements)
		}
	default:
		c.layout(l.elements(), before.Elements, elements)
	}
}

// elementsOf returns the layout for reading the elements of a list, a set or a map. It returns nil
// if the elements are unknown or are kept unchanged.
func elementsOf(l *schemadoc.Layout) *schemadoc.Layout {
	switch _, unit := schemadoc.ArraySize(l.GoType.Kind); {
	case l.Contents != nil:
		return l.Contents.Elements
	case l.GoType.Kind == schemadoc.KindAny:
		return l
	case l.GoType.Kind == schemadoc.KindBytes || unit == schemadoc.UnitBytes:
		return &schemadoc.Layout{Types: []string{"N"}, GoType: schemadoc.GoType{Kind: "uint8"}}
	default:
		return nil
	}
}

// decoding reports what stored values lose when they are decoded into the new Go type. It returns
// false if comparing their contents has no further use.
func (c *comparison) decoding(l location, was, is *schemadoc.Layout) bool {
	e := decodingEffect(was, is)
	text := ""
	switch e.loss {
	case allUnreadable:
		text = fmt.Sprintf("no stored %s with it can be decoded; convert them first", l.entity)
	case misread:
		text = fmt.Sprintf("a stored %s cannot be decoded, or is decoded with another value; convert them first", l.entity)
	case someUnreadable:
		text = fmt.Sprintf("a stored %s cannot be decoded if %s; convert those first", l.entity, e.detail)
	case methodDecides:
		text = fmt.Sprintf("whether a stored %s can be decoded depends on %s", l.entity, e.detail)
	case partlyRead:
		text = fmt.Sprintf("a stored %s is decoded %s", l.entity, e.detail)
	case rounded:
		text = fmt.Sprintf("numbers of more than %s digits are rounded when a stored %s is decoded", e.detail, l.entity)
	case notMatched:
		text = fmt.Sprintf("a stored %s can be decoded, but conditions do not match its value until it is written again", l.entity)
	case none:
		return true
	}
	c.add("attribute %s of %s changed from %s to %s: %s", l.path, l.entity, was.Text, is.Text, text)
	return e.loss <= partlyRead
}
