package chart

import (
	"maps"
	"slices"
	"strings"
)

// entity compares a type with what has become of it.
func (c *comparison) entity(name string) {
	was, is := c.was.entities[name], c.is.entities[name]
	if is == nil {
		var now string
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
		_, had := was.keys[key]
		stored := is.itself(key) && was.attributes[key] != nil && was.attributes[key].text == is.attributes[key].text
		if !had && !stored {
			c.say("%s has the key %s now, as %s: every stored %s must be re-indexed, by writing it again", name, key, is.keys[key], name)
		}
	}
	for _, a := range slices.Sorted(maps.Keys(is.attributes)) {
		if was.attributes[a] == nil && was.keyed(a) {
			c.say("%s was a part of the keys of %s alone, and is an attribute now: every stored %s must be written again, or reads as if it had none", a, name, name)
		}
	}
	c.attributes(place{entity: name, seen: map[[2]*contents]bool{}}, was.attributes, is.attributes)
}

// keyed reports whether a member of a key is called so.
func (e *entity) keyed(name string) bool {
	for _, template := range e.keys {
		if slices.Contains(member.FindAllString(template, -1), "<"+name) {
			return true
		}
	}
	return false
}

// successor is the new type whose keys are those of one that is gone.
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

// key compares what a key attribute is written by.
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
	case indexedAlike(before, after):
	case after == "" && was.itself(key):
		// The attribute stays what it is. Where it went, that is said of it.
	case after == "":
		c.say("%s has no key %s any more: remove the attribute from every stored %s, or it stays on the index", name, key, name)
	case renamed(before, after, was, is):
		c.say("the key %s of %s was %s and is %s: it is the same where an attribute is only called otherwise, and else %s", key, name, before, after, remedy)
	default:
		c.say("the key %s of %s was %s and is %s: %s", key, name, before, after, remedy)
	}
}

// renamed reports whether two templates differ in names only: of attributes that are gone, by ones that are new.
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
