package chart

import (
	"maps"
	"slices"
	"strings"
)

// place is where something is stored: in items of a type, at a path of attributes.
type place struct {
	entity, path string
	seen         map[[2]*contents]bool // what was compared already: types may hold themselves
}

func (p place) at(path string) place {
	if p.path != "" && !strings.HasPrefix(path, "[") {
		path = "." + path
	}
	p.path += path
	return p
}

// attributes compares the attributes of a type, or of a struct within.
func (c *comparison) attributes(p place, was, is map[string]*layout) {
	var gone, come []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			come = append(come, p.at(name).path)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			gone = append(gone, name)
			continue
		}
		c.layout(p.at(name), was[name], is[name])
	}
	if len(gone) == 1 && len(come) == 1 && was[gone[0]].text == only(was, is).text {
		c.say("attribute %s of %s is gone, and %s is new: if that is its name now, every stored %s must be written again, or reads as if it had none",
			p.at(gone[0]).path, p.entity, come[0], p.entity)
		return
	}
	for _, name := range gone {
		c.say("attribute %s of %s is gone: every stored %s keeps it until it is put again", p.at(name).path, p.entity, p.entity)
	}
	if len(gone) > 0 && len(come) > 0 {
		c.say("new in %s: %s; where one is another name of what is gone, every stored %s must be written again, or reads as if it had none",
			p.entity, strings.Join(come, ", "), p.entity)
	}
}

// only is the layout of the only new one.
func only(was, is map[string]*layout) *layout {
	for name, l := range is {
		if was[name] == nil {
			return l
		}
	}
	return nil
}

// layout compares how something is stored.
func (c *comparison) layout(p place, was, is *layout) {
	old, now := was.holds, is.holds
	switch {
	case !is.covers(was), old != nil && now != nil && !now.takes(old):
		c.say("attribute %s of %s was stored as %s and is stored as %s: every stored %s may be unreadable, until it is written again",
			p.path, p.entity, was.text, is.text, p.entity)
		return
	case old == nil || now == nil || p.seen[[2]*contents{old, now}]:
		return
	}
	p.seen[[2]*contents{old, now}] = true
	switch {
	case old.fields != nil && now.fields != nil:
		c.attributes(p, old.fields, now.fields)
	case old.fields != nil:
		for _, name := range slices.Sorted(maps.Keys(old.fields)) {
			c.layout(p.at(name), old.fields[name], now.elements)
		}
	default:
		c.layout(p.at("[]"), old.elements, now.elements)
	}
}

// takes reports whether what was held can be gone through: a struct does not take a map, nor a map of numbers one of texts.
func (c *contents) takes(was *contents) bool {
	return (c.fields == nil || was.fields != nil) && (c.keys == "" || c.keys == was.keys)
}
