package schemadiff

import (
	"fmt"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/schemadoc"
)

// roles reports the effects of roles that were added, removed or moved to another attribute.
func (c *comparison) roles(was, is *schemadoc.Entity) {
	for _, r := range []string{core.RoleVersion, core.RoleCreated, core.RoleUpdated, core.RoleTTL, core.RoleRest} {
		before, had := was.Roles[r]
		after, has := is.Roles[r]
		if had == has && before == after {
			continue
		}
		switch r {
		case core.RoleVersion:
			c.version(was, before, after)
		case core.RoleCreated:
			c.created(was.Name, before, after)
		case core.RoleUpdated:
			c.updated(was.Name, before, after)
		case core.RoleTTL:
			c.roleTTL(was, is)
		default:
			c.rest(was.Name, has)
		}
	}
}

// move describes the change of a role from one attribute to another. An empty name means none.
func move(entity, role, before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("%s has a %s now, in %s", entity, role, after)
	case after == "":
		return fmt.Sprintf("%s has no %s any more, which was in %s", entity, role, before)
	default:
		return fmt.Sprintf("%s has its %s in %s, and had it in %s", entity, role, after, before)
	}
}

func (c *comparison) version(was *schemadoc.Entity, before, after string) {
	change := move(was.Name, core.RoleVersion, before, after)
	switch {
	case after == "":
		c.add("%s: writes neither check nor advance it; programs of the earlier build that still run do not notice such writes, and overwrite them", change)
		return
	case was.Attributes[after] == nil:
		change += ": stored ones have none, which counts as version 0, and their next write gives them version 1, so that none must be written again"
	default:
		change += ": what stored ones have there is their version"
	}
	c.add("%s; programs of the earlier build neither check nor advance it, so that writes can be lost unnoticed while they still run", change)
}

func (c *comparison) created(entity, before, after string) {
	change := move(entity, "time of creation", before, after)
	if after == "" {
		c.add("%s: stored ones keep it, and no write sets it", change)
		return
	}
	c.add("%s: a stored %s without it gets the moment of its next Put or Upsert", change, entity)
}

func (c *comparison) updated(entity, before, after string) {
	change := move(entity, "time of the last write", before, after)
	if after == "" {
		c.add("%s: stored ones keep it as it is, however often they are written", change)
		return
	}
	c.add("%s: a stored %s has it from its next write on", change, entity)
}

// roleTTL compares the expiry of a type, unless the comparison of the table reports it.
func (c *comparison) roleTTL(was, is *schemadoc.Entity) {
	ttl := c.is.TTL
	_, had := was.Roles[core.RoleTTL]
	_, has := is.Roles[core.RoleTTL]
	switch {
	case c.was.TTL != ttl:
	case has && !storesNumber(was, ttl):
		c.add("%s has its time to live in %s now: stored ones do not expire until they are written again", was.Name, ttl)
	case had && !storesNumber(is, ttl):
		c.add("%s has no time to live any more: stored ones expire by %s until they are written again", was.Name, ttl)
	}
}

func (c *comparison) rest(entity string, has bool) {
	if !has {
		c.add("%s has no role rest any more: its next Put drops what a stored one has in attributes without a field", entity)
		return
	}
	c.add("%s has the role rest now: Put keeps what a stored one has in attributes without a field; programs of the earlier build still drop it", entity)
}
