// Package schemadiff compares a schema with the description of an earlier one. It does no I/O.
package schemadiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// Compare returns the effects of a schema on items stored under an earlier schema, given the
// description of the earlier one. It lists items that must be rewritten or moved, that cannot be
// decoded any more, or that are decoded differently. It omits changes that affect only new items.
// If before is not a valid description, Compare returns only that error.
func Compare(before string, s *core.Schema) []string {
	was, err := schemadoc.Parse(before)
	if err != nil {
		return []string{"the earlier description is damaged and cannot be compared; restore it: " + err.Error()}
	}
	is, err := schemadoc.Parse(schemadoc.Text(s))
	if err != nil {
		return []string{"the description of the schema itself cannot be parsed: " + err.Error()}
	}
	c := comparison{was: was, is: is, schema: s}
	c.table()
	c.typeAttribute()
	c.indexes()
	c.tenantIndex()
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
		c.add("table key changed from %s to %s: create a new table, and move every stored item to it", c.was.Table, c.is.Table)
	}
	if c.was.Encoding != c.is.Encoding {
		rendered := namesOf(c.was, func(e *schemadoc.Entity) bool {
			return slices.ContainsFunc(sorted(e.Keys), func(name string) bool { return e.Attributes[name] == nil })
		})
		c.add("key encoding changed from %s to %s: items whose values are encoded differently have another key; check every stored %s, and move those items",
			c.was.Encoding, c.is.Encoding, rendered)
	}
	c.timeToLive(c.was.TTL, c.is.TTL)
}

// timeToLive compares the time to live attribute of the table.
func (c *comparison) timeToLive(was, is string) {
	switch expiring := namesOf(c.was, func(e *schemadoc.Entity) bool { return storesNumber(e, is) }); {
	case was == is:
	case is == "":
		c.add("time to live was removed from %s: stored items still expire until you disable time to live on the table", was)
	case expiring == "" && was != "":
		c.add("time to live moved from %s to %s: stored items do not expire until they are written again", was, is)
	default:
		if expiring != "" {
			c.add("time to live is now in %s: every stored %s expires at the time in this attribute, even if that time has passed", is, expiring)
		}
		for _, e := range c.was.Entities {
			if now := c.is.Entity(e.Name); now != nil && now.Roles[core.RoleTTL] == is && !storesNumber(e, is) {
				c.add("time to live is now in %s: a stored %s has no time there, and does not expire until it is written again", is, e.Name)
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
		c.add("type attribute %s is new: the type of stored items is unknown; write every stored item again", is)
	default:
		c.add("type attribute changed from %s to %s: the type of stored items is unknown; write every stored item again", was, is)
	}
}

func (c *comparison) indexes() {
	const newTable = "create a new table, and move every stored item to it"
	const filled = "DynamoDB adds every stored item that has its key"
	for _, was := range c.was.Indexes {
		is := c.is.Index(was.Name)
		switch {
		case is == nil:
			c.add("index %s was removed: delete it from the table", was.Name)
		case was.Text == is.Text:
		case was.Local || is.Local:
			c.add("local index %s changed from %s to %s: a local index cannot be changed; %s", is.Name, was.Text, is.Text, newTable)
		default:
			c.add("index %s changed from %s to %s: delete it and create it again, or replace it by an index of another name (maintain.Replacement); %s", is.Name, was.Text, is.Text, filled)
		}
	}
	for _, is := range c.is.Indexes {
		switch {
		case c.was.Index(is.Name) != nil:
		case is.Local:
			c.add("local index %s is new: a local index can be created only with its table; %s", is.Name, newTable)
		default:
			c.add("index %s is new: create it; %s", is.Name, filled)
		}
	}
}
