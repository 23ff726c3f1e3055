package chart

import (
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
)

// place is a location in stored items of a type: a path of attributes.
type place struct {
	entity, path string
	field        string                // the Go path of the field
	node         *codec.Node           // its Go type; nil if it has none
	rest         bool                  // attributes without a field are kept
	seen         map[[2]*contents]bool // the pairs already compared; types can be recursive
}

// at returns the place of a struct attribute or a map value.
func (p place) at(name string) place {
	next := place{entity: p.entity, path: name, seen: p.seen}
	if p.path != "" {
		next.path = p.path + "." + name
	}
	if p.node == nil || base(p.node).Struct == nil {
		next.node, next.field = p.inside()
		return next
	}
	if f := base(p.node).Struct.ByName(name); f != nil {
		next.node, next.field = f.Node, f.GoName
		if p.field != "" {
			next.field = p.field + "." + f.GoName
		}
	}
	return next
}

// elements returns the place of the elements of a list or a map.
func (p place) elements() place {
	next := place{entity: p.entity, path: p.path + "[]", seen: p.seen}
	next.node, next.field = p.inside()
	return next
}

// inside returns the Go type of the elements and their Go path.
func (p place) inside() (n *codec.Node, field string) {
	if p.node == nil {
		return nil, ""
	}
	return base(p.node).Elem, p.field + "[]"
}

// attributes compares the attributes of a type or of a nested struct.
func (c *comparison) attributes(p place, was, is map[string]*layout) {
	var gone, come []string
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			gone = append(gone, name)
			continue
		}
		c.layout(p.at(name), was[name], is[name])
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			come = append(come, name)
		}
	}
	if len(gone) == 1 && len(come) == 1 && is[come[0]].like(was[gone[0]]) {
		c.say("attribute %s of %s is gone, and %s is new, in the field %s: if that is its name now, every stored %s must be written again, or reads as if it had none",
			p.at(gone[0]).path, p.entity, p.at(come[0]).path, p.at(come[0]).field, p.entity)
		return
	}
	for _, name := range gone {
		until := "until it is put again"
		if p.rest {
			until = "as an unknown one, also when it is put again"
		}
		c.say("attribute %s of %s is gone: every stored %s keeps it %s", p.at(name).path, p.entity, p.entity, until)
	}
	for _, name := range come {
		c.added(p.at(name), is[name])
	}
	if len(gone) > 0 && len(come) > 0 {
		c.say("where what is new in %s is another name of what is gone, every stored %s must be written again, or reads as if it had none",
			p.entity, p.entity)
	}
}

// added reports a new attribute and its value for items stored without it.
func (c *comparison) added(p place, is *layout) {
	c.say("attribute %s of %s is new, stored as %s, in the field %s of type %s: a stored %s without it reads as %s, and no comparison with it holds",
		p.path, p.entity, is.text, p.field, p.node.Type, p.entity, zero(p.node))
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

// like reports whether two attributes have the same storage format. If the earlier description
// lacks the Go type, only the attribute types count.
func (l *layout) like(was *layout) bool {
	return l.text == was.text || was.goType.kind == "" && slices.Equal(l.types, was.types)
}

// layout compares the storage formats of a place.
func (c *comparison) layout(p place, was, is *layout) {
	if !c.reading(p, was, is) || was.holds == nil {
		return
	}
	old, now := was.holds, is.holds
	if p.seen[[2]*contents{old, now}] {
		return
	}
	p.seen[[2]*contents{old, now}] = true
	elements := is.elements()
	switch {
	case old.fields != nil && now != nil && now.fields != nil:
		c.attributes(p, old.fields, now.fields)
	case now != nil && now.fields != nil:
		for _, name := range slices.Sorted(maps.Keys(now.fields)) {
			c.layout(p.at(name), old.elements, now.fields[name])
		}
	case elements == nil:
	case old.fields != nil:
		for _, name := range slices.Sorted(maps.Keys(old.fields)) {
			c.layout(p.at(name), old.fields[name], elements)
		}
	default:
		c.layout(p.elements(), old.elements, elements)
	}
}

// elements returns the layout for reading the elements of a list, a set or a map. It returns nil if
// the elements are unknown or are kept unchanged.
func (l *layout) elements() *layout {
	switch _, unit := sized(l.goType.kind); {
	case l.holds != nil:
		return l.holds.elements
	case l.goType.kind == kindAny:
		return l
	case l.goType.kind == kindBytes || unit == unitBytes:
		return &layout{types: []string{"N"}, goType: goType{kind: "uint8"}}
	default:
		return nil
	}
}

// reading reports what stored values lose when they are decoded into the new Go type. It returns
// false if comparing their contents has no further use.
func (c *comparison) reading(p place, was, is *layout) bool {
	e := is.reading(was)
	says := ""
	switch e.loss {
	case all:
		says = "no stored %[1]s with it can be read; convert them first"
	case mistaken:
		says = "a stored %[1]s cannot be read, or is read with another value; convert them first"
	case some:
		says = "a stored %[1]s cannot be read where %[2]s; convert those first"
	case unsure:
		says = "whether a stored %[1]s can be read depends on %[2]s"
	case untold:
		if !is.covers(was) {
			says = "a stored %[1]s may be unreadable, until it is written again"
		}
	case partial:
		says = "a stored %[1]s is read %[2]s"
	case rounded:
		says = "numbers of more than %[2]s digits are rounded when a stored %[1]s is read"
	case missed:
		says = "a stored %[1]s is read, but conditions do not find it by its value until it is written again"
	case intact:
	}
	if says != "" {
		c.say("attribute %s of %s was stored as %s and is stored as %s: %s",
			p.path, p.entity, was.text, is.text, strings.NewReplacer("%[1]s", p.entity, "%[2]s", e.of).Replace(says))
	}
	return e.loss <= partial || e.loss == untold && says == ""
}

// covers reports whether all stored attribute types except NULL are still written.
func (l *layout) covers(was *layout) bool {
	return !slices.ContainsFunc(was.types, func(t string) bool { return t != "NULL" && !slices.Contains(l.types, t) })
}
