package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Drift returns the effects of a schema on items stored under an earlier schema, given the
// description of the earlier one. It lists items that must be rewritten or moved, that cannot be
// decoded any more, or that are decoded differently. It omits changes that affect only new items.
// If before is not a valid description, Drift returns only that error.
func Drift(before string, s *core.Schema) []string {
	was, err := parse(before)
	if err != nil {
		return []string{"the earlier description is damaged, so that nobody knows what is stored: " + err.Error()}
	}
	is, err := parse(Text(s))
	if err != nil {
		return []string{"the schema's own description cannot be read: " + err.Error()}
	}
	c := comparison{was: was, is: is, schema: s}
	if was.version < 2 {
		c.say("the earlier description is of version %d, without Go types and roles: whether these have changed cannot be told; write it anew", was.version)
	}
	c.table()
	c.types()
	c.indexes()
	for _, name := range c.was.order {
		c.entity(name)
	}
	return c.found
}

// comparison collects the effects of a change.
type comparison struct {
	was, is *description
	schema  *core.Schema // the schema that is describes
	found   []string
}

func (c *comparison) say(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// table compares the settings that affect all items.
func (c *comparison) table() {
	if c.was.table != c.is.table {
		c.say("the table's key was %s and is %s: make a new table, and move every stored item there", c.was.table, c.is.table)
	}
	if c.was.keys != c.is.keys {
		c.say("keys were written as %s and are written as %s: an item is under another key where its values are not written alike, and must be moved; look at every stored %s",
			c.was.keys, c.is.keys, strings.Join(c.was.rendered(), ", "))
	}
	c.timeToLive(c.was.ttl, c.is.ttl)
}

// timeToLive compares the time to live attribute of the table.
func (c *comparison) timeToLive(was, is string) {
	switch held := c.was.holding(is, "N"); {
	case was == is:
	case is == "":
		c.say("items had their time to live in %s and have none: those that are stored go on expiring, until that is switched off", was)
	case len(held) > 0:
		c.say("items have their time to live in %s now: every stored %s expires by what it has there, and is gone at once where that has passed",
			is, strings.Join(held, ", "))
		c.notExpiring(is, held)
	case was == "":
		c.notExpiring(is, nil)
	default:
		c.say("items had their time to live in %s and have it in %s: those that are stored do not expire, until they are written again", was, is)
	}
}

// notExpiring reports the types whose new items have the time to live in an attribute, but whose
// stored items do not.
func (c *comparison) notExpiring(attribute string, held []string) {
	for _, name := range c.was.order {
		if now := c.is.entities[name]; now != nil && now.roles[core.RoleTTL] == attribute && !slices.Contains(held, name) {
			c.say("items have their time to live in %s now: a stored %s has none there, and does not expire until it is written again", attribute, name)
		}
	}
}

// rendered returns the types with a key that a template writes.
func (d *description) rendered() []string {
	var names []string
	for _, name := range d.order {
		e := d.entities[name]
		if slices.ContainsFunc(sorted(e.keys), func(key string) bool { return !e.itself(key) }) {
			names = append(names, name)
		}
	}
	return names
}

// holding returns the types that have an attribute with the given attribute type.
func (d *description) holding(attribute, stored string) []string {
	var names []string
	for _, name := range d.order {
		if l := d.entities[name].attributes[attribute]; l != nil && slices.Contains(l.types, stored) {
			names = append(names, name)
		}
	}
	return names
}

// types compares how items store their type.
func (c *comparison) types() {
	switch was, is := c.was.typeAttr, c.is.typeAttr; {
	case was == is || is == "":
	case was == "":
		c.say("items say their type in %s now: every stored item must be written again, or is of no known type", is)
	default:
		c.say("items said their type in %s and say it in %s: every stored item must be written again, or is of no known type", was, is)
	}
}

func (c *comparison) indexes() {
	for _, name := range c.was.indexed {
		was := c.was.indexes[name]
		is, there := c.is.indexes[name]
		switch {
		case !there:
			c.say("index %s is gone: delete it from the table", name)
		case was == is:
		case local(was) || local(is):
			c.say("index %s was on %s and is on %s: a local index cannot be changed: make a new table, and move every stored item there", name, was, is)
		default:
			c.say("index %s was on %s and is on %s: delete it and add it again; it then takes up every stored item that has its key", name, was, is)
		}
	}
	for _, name := range c.is.indexed {
		is := c.is.indexes[name]
		switch _, had := c.was.indexes[name]; {
		case had:
		case local(is):
			c.say("index %s is new and local, which a table can only be made with: make a new table, and move every stored item there", name)
		default:
			c.say("index %s is new: add it to the table; it takes up every stored item that has its key", name)
		}
	}
}

func local(index string) bool { return strings.Contains(index, ", local") }

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
