package schemadiff

import (
	"fmt"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
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
		case core.RoleTTL:
			c.roleTTL(was, is)
		case core.RoleRest:
			c.rest(was.Name, has)
		case core.RoleShard: // a key changes too, which is reported
		default:
			c.add("%s%s", move(was.Name, r, before, after), roleEffect(r, was, after))
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

// roleEffect returns the effect of a role that is now in the attribute after, or in none.
func roleEffect(role string, was *schemadoc.Entity, after string) string {
	const stop = "stop programs of the earlier build first, because they "
	removed := after == ""
	switch {
	case role == core.RoleVersion && removed:
		return ": writes neither check nor increment the version; " + stop + "overwrite such writes unnoticed"
	case role == core.RoleVersion && was.Attributes[after] == nil:
		return ": stored items have version 0, and their next write sets version 1; " + stop + "ignore the version"
	case role == core.RoleVersion:
		return ": stored items have the version that is in the attribute; " + stop + "ignore the version"
	case role == core.RoleCreated && removed:
		return ": stored items keep the time, and no write sets it"
	case role == core.RoleCreated:
		return ": a stored " + was.Name + " without it gets the time of its next Put or Upsert"
	case role == core.RoleUpdated && removed:
		return ": stored items keep the time, and no write changes it"
	case role == core.RoleUpdated:
		return ": a stored " + was.Name + " has it from its next write on"
	case role == core.RoleTenant && len(was.Uniques) > 0:
		return tenantEffect(removed) + "; the guards of stored items are under other keys: " + repairGuards
	case role == core.RoleTenant:
		return tenantEffect(removed)
	}
	return ""
}

// tenantEffect returns the effect of a tenant on stored items, whose keys are compared elsewhere.
func tenantEffect(removed bool) string {
	if removed {
		return ": the handle of a tenant refuses the type"
	}
	return ": the handle of a tenant finds the stored items whose keys start with it"
}

// roleTTL compares the expiry of a type, unless the comparison of the table reports it.
func (c *comparison) roleTTL(was, is *schemadoc.Entity) {
	ttl := c.is.TTL
	_, had := was.Roles[core.RoleTTL]
	_, has := is.Roles[core.RoleTTL]
	if len(was.Uniques) > 0 && len(is.Uniques) > 0 {
		c.add("role ttl of %s changed: the guards of stored items expire as before; %s", was.Name, repairGuards)
	}
	switch {
	case c.was.TTL != ttl:
	case has && !storesNumber(was, ttl):
		c.add("role ttl of %s is new, in %s: stored items do not expire until they are written again", was.Name, ttl)
	case had && !storesNumber(is, ttl):
		c.add("role ttl of %s was removed: stored items expire at the time in %s until they are written again", was.Name, ttl)
	}
}

func (c *comparison) rest(entity string, has bool) {
	if !has {
		c.add("role rest of %s was removed: the next Put of a stored %s drops its attributes without a field", entity, entity)
		return
	}
	c.add("role rest of %s is new: Put keeps the attributes of a stored %s without a field; programs of the earlier build still drop them", entity, entity)
}
