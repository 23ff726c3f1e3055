package chart

import (
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// entity compares a type with its earlier version.
func (c *comparison) entity(name string) {
	was, is := c.was.entities[name], c.is.entities[name]
	now := name
	if is == nil {
		if now, is = c.successor(was); is == nil {
			c.say("%s is gone: stored ones are of no known type; delete them, or keep the type", name)
			return
		}
		if c.is.typeAttr != "" {
			c.say("%s is gone, and %s has its keys: if that is its name now, every stored %s must be written again, or is of no known type", name, now, name)
		}
	}
	for _, key := range sorted(was.keys) {
		c.key(name, key, was, is)
	}
	for _, key := range sorted(is.keys) {
		if _, had := was.keys[key]; !had && !is.stored(key, was) {
			c.say("%s has the key %s now, as %s: every stored %s must be re-indexed, by writing it again", name, key, is.keys[key], name)
		}
	}
	c.roles(name, was, is)
	_, rest := is.roles[core.RoleRest]
	p := place{entity: name, rest: rest, node: c.shape(now), seen: map[[2]*contents]bool{}}
	old, fresh := c.apartFromKeys(name, was, is)
	c.attributes(p, old, fresh)
}

// shape returns the struct of a type.
func (c *comparison) shape(name string) *codec.Node {
	i := slices.IndexFunc(c.schema.Plans, func(p *core.Plan) bool { return p.Name == name })
	return &codec.Node{Kind: codec.KindStruct, Struct: c.schema.Plans[i].Shape}
}

// apartFromKeys returns the earlier and the new attributes of a type, without those that were or
// are only part of a key. It reports the effects of such changes.
func (c *comparison) apartFromKeys(name string, was, is *entity) (old, now map[string]*layout) {
	old, now = maps.Clone(was.attributes), maps.Clone(is.attributes)
	for _, a := range slices.Sorted(maps.Keys(is.attributes)) {
		switch {
		case was.attributes[a] != nil || !was.keyed(a):
			continue
		case was.keys[a] != "":
			c.say("attribute %s of %s was the key %s alone and is stored as %s: a stored %s may be unreadable, until it is written again",
				a, name, was.keys[a], is.attributes[a].text, name)
		default:
			c.say("%s was a part of the keys of %s alone, and is an attribute now: every stored %s must be written again, or reads as if it had none", a, name, name)
		}
		delete(now, a)
	}
	for _, a := range slices.Sorted(maps.Keys(was.attributes)) {
		if is.attributes[a] == nil && is.keyed(a) {
			c.say("%s was an attribute of %s, and is a part of its keys alone now: it is read from the key, which may keep less of it, and every stored %s keeps the attribute until it is put again", a, name, name)
			delete(old, a)
		}
	}
	return old, now
}

// stored reports whether a key attribute was already an attribute of the earlier type, in the same
// format.
func (e *entity) stored(key string, was *entity) bool {
	l, old := e.attributes[key], was.attributes[key]
	return l != nil && old != nil && slices.Equal(l.types, old.types) && l.goType.format == old.goType.format
}

// keyed reports whether a key has a member with that name.
func (e *entity) keyed(name string) bool {
	for _, template := range e.keys {
		if slices.Contains(member.FindAllString(template, -1), "<"+name) {
			return true
		}
	}
	return false
}

// successor returns the new type that has the same keys as a removed type.
func (c *comparison) successor(gone *entity) (string, *entity) {
	for _, name := range c.is.order {
		e := c.is.entities[name]
		if c.was.entities[name] == nil && slices.EqualFunc(sorted(gone.keys), sorted(e.keys), func(a, b string) bool {
			return a == b && gone.keys[a] == e.keys[b]
		}) {
			return name, e
		}
	}
	return "", nil
}

// key compares the templates of a key attribute.
func (c *comparison) key(name, key string, was, is *entity) {
	before, after := was.keys[key], is.keys[key]
	remedy := "every stored " + name + " must be re-indexed, by writing it again"
	if c.is.tableKey[key] {
		remedy = "every stored " + name + " is under another key, and must be moved"
	}
	switch {
	case before == after:
		for _, change := range c.reformatted(before) {
			c.say("the key %s of %s is %s still, but %s: %s", key, name, after, change, remedy)
		}
	case indexedAlike(sameDigits(before), sameDigits(after)):
	case after == "" && (was.itself(key) || is.itself(key)):
		// It is an ordinary attribute. The comparison of attributes reports its changes.
	case after == "":
		c.say("%s has no key %s any more: remove the attribute from every stored %s, or it stays on the index", name, key, name)
	case renamed(before, after, was, is):
		c.say("the key %s of %s was %s and is %s: it is the same where an attribute is only called otherwise, and else %s", key, name, before, after, remedy)
	default:
		c.say("the key %s of %s was %s and is %s: %s", key, name, before, after, remedy)
	}
}

// sameDigits returns the text of a key with "uint" replaced by "int", because the format ord writes
// the same digits for both. It returns keys with a custom format unchanged, because that format may
// distinguish them.
func sameDigits(key string) string {
	for _, f := range formatName.FindAllStringSubmatch(key, -1) {
		if own(f[1]) != "" {
			return key
		}
	}
	of := strings.LastIndex(key, " of ")
	if of < 0 || !strings.Contains(key, ":ord") {
		return key
	}
	return key[:of] + strings.ReplaceAll(key[of:], "uint", "int")
}

// renamed reports whether two templates differ only in names, each time of a removed attribute and
// a new one.
func renamed(before, after string, was, is *entity) bool {
	if shape(before) != shape(after) {
		return false
	}
	olds, news := member.FindAllString(before, -1), member.FindAllString(after, -1)
	for i := range olds {
		gone, come := strings.TrimPrefix(olds[i], "<"), strings.TrimPrefix(news[i], "<")
		if _, still := is.attributes[gone]; gone != come && still {
			return false
		}
		if _, had := was.attributes[come]; gone != come && had {
			return false
		}
	}
	return true
}
