// Package schemadiff compares a schema with the description of an earlier one. It does no I/O.
package schemadiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/schemadoc"
)

// Compare returns the effects of a schema on items stored under an earlier schema, given the
// description of the earlier one. It lists items that must be rewritten or moved, that cannot be
// decoded any more, or that are decoded differently. It omits changes that affect only new items.
// If before is not a valid description, Compare returns only that error.
func Compare(before string, s *core.Schema) []string {
	was, err := schemadoc.Parse(before)
	if err != nil {
		return []string{"the earlier description is damaged, so that nobody knows what is stored: " + err.Error()}
	}
	is, err := schemadoc.Parse(schemadoc.Text(s))
	if err != nil {
		return []string{"the schema's own description cannot be read: " + err.Error()}
	}
	c := comparison{was: was, is: is, schema: s}
	c.table()
	c.typeAttribute()
	c.indexes()
	for _, e := range was.Entities {
		c.entity(e)
	}
	return c.effects
}

// comparison collects the effects of a change.
type comparison struct {
	was, is *schemadoc.Description
	schema  *core.Schema // the schema that is describes
	effects []string
}

func (c *comparison) add(format string, args ...any) {
	c.effects = append(c.effects, fmt.Sprintf(format, args...))
}

// table compares the settings that affect all items.
func (c *comparison) table() {
	if c.was.Table != c.is.Table {
		c.add("the table's key was %s and is %s: make a new table, and move every stored item there", c.was.Table, c.is.Table)
	}
	if c.was.Encoding != c.is.Encoding {
		rendered := namesOf(c.was, func(e *schemadoc.Entity) bool {
			for name := range e.Keys {
				if e.Attributes[name] == nil {
					return true
				}
			}
			return false
		})
		c.add("keys were written as %s and are written as %s: an item is under another key where its values are not written alike, and must be moved; look at every stored %s",
			c.was.Encoding, c.is.Encoding, rendered)
	}
	c.timeToLive(c.was.TTL, c.is.TTL)
}

// timeToLive compares the time to live attribute of the table.
func (c *comparison) timeToLive(was, is string) {
	switch expiring := namesOf(c.was, func(e *schemadoc.Entity) bool { return storesNumber(e, is) }); {
	case was == is:
	case is == "":
		c.add("items had their time to live in %s and have none: those that are stored go on expiring, until that is switched off", was)
	case expiring == "" && was != "":
		c.add("items had their time to live in %s and have it in %s: those that are stored do not expire, until they are written again", was, is)
	default:
		if expiring != "" {
			c.add("items have their time to live in %s now: every stored %s expires by what it has there, and is gone at once where that has passed", is, expiring)
		}
		for _, e := range c.was.Entities {
			if now := c.is.Entity(e.Name); now != nil && now.Roles[core.RoleTTL] == is && !storesNumber(e, is) {
				c.add("items have their time to live in %s now: a stored %s has none there, and does not expire until it is written again", is, e.Name)
			}
		}
	}
}

// storesNumber reports whether items of a type can have a number in an attribute.
func storesNumber(e *schemadoc.Entity, attribute string) bool {
	l := e.Attributes[attribute]
	return l != nil && slices.Contains(l.Types, "N")
}

// namesOf lists the names of some types.
func namesOf(d *schemadoc.Description, include func(*schemadoc.Entity) bool) string {
	var names []string
	for _, e := range d.Entities {
		if include(e) {
			names = append(names, e.Name)
		}
	}
	return strings.Join(names, ", ")
}

// typeAttribute compares how items store their type.
func (c *comparison) typeAttribute() {
	switch was, is := c.was.TypeAttr, c.is.TypeAttr; {
	case was == is || is == "":
	case was == "":
		c.add("items say their type in %s now: every stored item must be written again, or is of no known type", is)
	default:
		c.add("items said their type in %s and say it in %s: every stored item must be written again, or is of no known type", was, is)
	}
}

func (c *comparison) indexes() {
	for _, was := range c.was.Indexes {
		is, ok := c.is.Index(was.Name)
		switch {
		case !ok:
			c.add("index %s is gone: delete it from the table", was.Name)
		case was.Text == is.Text:
		case local(was) || local(is):
			c.add("index %s was on %s and is on %s: a local index cannot be changed: make a new table, and move every stored item there", is.Name, was.Text, is.Text)
		default:
			c.add("index %s was on %s and is on %s: delete it and add it again; it then takes up every stored item that has its key", is.Name, was.Text, is.Text)
		}
	}
	for _, is := range c.is.Indexes {
		switch _, existed := c.was.Index(is.Name); {
		case existed:
		case local(is):
			c.add("index %s is new and local, which a table can only be made with: make a new table, and move every stored item there", is.Name)
		default:
			c.add("index %s is new: add it to the table; it takes up every stored item that has its key", is.Name)
		}
	}
}

func local(x schemadoc.Index) bool { return strings.Contains(x.Text, ", local") }
