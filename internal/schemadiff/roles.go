package schemadiff

import (
	"fmt"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/schemadoc"
)

// roles reports the effects of roles that were added, removed or moved to another attribute.
func (c *comparison) roles(was, is *schemadoc.Entity) {
	for _, role := range core.Roles() {
		r := role.Name
		before, had := was.Roles[r]
		after, has := is.Roles[r]
		if had == has && before == after {
			continue
		}
		switch r {
		case core.RoleVersion:
			c.version(was, before, after)
		case core.RoleCreated:
			c.timestamp(was.Name, r, before, after, "sets", "without it gets the time of its next Put or Upsert")
		case core.RoleUpdated:
			c.timestamp(was.Name, r, before, after, "changes", "has it from its next write on")
		case core.RoleTTL:
			c.roleTTL(was, is)
		case core.RoleRest:
			c.rest(was.Name, has)
		default:
			c.add("%s", move(was.Name, r, before, after))
		}
	}
}

// move describes the change of a role from one attribute to another. An empty name means none.
func move(entity, role, before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("role %s of %s is new, in %s", role, entity, after)
	case after == "":
		return fmt.Sprintf("role %s of %s was removed from %s", role, entity, before)
	default:
		return fmt.Sprintf("role %s of %s moved from %s to %s", role, entity, before, after)
	}
}

func (c *comparison) version(was *schemadoc.Entity, before, after string) {
	const stop = "stop programs of the earlier build first"
	change := move(was.Name, core.RoleVersion, before, after)
	switch {
	case after == "":
		c.add("%s: writes neither check nor increment the version; %s, because they overwrite such writes unnoticed", change, stop)
	case was.Attributes[after] == nil:
		c.add("%s: stored items have version 0, and their next write sets version 1; %s, because they ignore the version", change, stop)
	default:
		c.add("%s: stored items have the version that is there; %s, because they ignore the version", change, stop)
	}
}

// timestamp reports the change of the role created or updated. The arguments removed and present
// are what a build without and with the role does.
func (c *comparison) timestamp(entity, role, before, after, removed, present string) {
	effect := "a stored " + entity + " " + present
	if after == "" {
		effect = "stored items keep the time, and no write " + removed + " it"
	}
	c.add("%s: %s", move(entity, role, before, after), effect)
}

// roleTTL compares the expiry of a type, unless the comparison of the table reports it.
func (c *comparison) roleTTL(was, is *schemadoc.Entity) {
	ttl := c.is.TTL
	_, had := was.Roles[core.RoleTTL]
	_, has := is.Roles[core.RoleTTL]
	switch {
	case c.was.TTL != ttl:
	case has && !storesNumber(was, ttl):
		c.add("role ttl of %s is new, in %s: stored items do not expire until they are written again", was.Name, ttl)
	case had && !storesNumber(is, ttl):
		c.add("role ttl of %s was removed: stored items expire by %s until they are written again", was.Name, ttl)
	}
}

func (c *comparison) rest(entity string, has bool) {
	if !has {
		c.add("role rest of %s was removed: the next Put of a stored %s drops its attributes without a field", entity, entity)
		return
	}
	c.add("role rest of %s is new: Put keeps the attributes of a stored %s without a field; programs of the earlier build still drop them", entity, entity)
}
