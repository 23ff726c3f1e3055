package chart

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle/internal/core"
)

// role is a role and the attribute of the field that has it.
type role struct {
	core.Role
	attribute string
}

// on returns the attribute as it follows the role's name in a description.
func (r role) on() string {
	if r.NoAttribute {
		return ""
	}
	return " " + word(r.attribute)
}

func rolesOf(p *core.Plan) (roles []role) {
	for _, r := range core.Roles() {
		if r.Field == nil {
			continue
		}
		if f := r.Field(&p.FieldRoles); f != nil {
			roles = append(roles, role{r, f.Name})
		}
	}
	return roles
}

// roles reports the effects of changed roles.
func (c *comparison) roles(name string, was, is *entity) {
	if c.was.version < 2 {
		return
	}
	changes := map[string]func(name string, was, is roled) string{
		core.RoleVersion: versionChange, core.RoleCreated: createdChange, core.RoleUpdated: updatedChange, core.RoleTTL: c.ttlChange, core.RoleRest: restChange,
	}
	for _, r := range core.Roles() {
		old, now := was.role(r.Name), is.role(r.Name)
		if old.has == now.has && old.attribute == now.attribute {
			continue
		}
		change := changes[r.Name]
		if change == nil {
			change = func(name string, was, is roled) string { return moved(name, "role "+r.Name, was, is) }
		}
		if says := change(name, old, now); says != "" {
			c.say("%s", says)
		}
	}
}

// roled is a type with the attribute of one role.
type roled struct {
	*entity
	has       bool
	attribute string
}

func (e *entity) role(name string) roled {
	attribute, has := e.roles[name]
	return roled{e, has, attribute}
}

// moved describes the change of a role: added, removed, or moved to another attribute.
func moved(name, thing string, was, is roled) string {
	switch {
	case !was.has:
		return fmt.Sprintf("%s has a %s now, in %s", name, thing, is.attribute)
	case !is.has:
		return fmt.Sprintf("%s has no %s any more, which was in %s", name, thing, was.attribute)
	default:
		return fmt.Sprintf("%s has its %s in %s, and had it in %s", name, thing, is.attribute, was.attribute)
	}
}

func versionChange(name string, was, is roled) string {
	says := moved(name, core.RoleVersion, was, is)
	if !is.has {
		return says + ": writes neither check nor advance it; programs of the earlier build that still run do not notice such writes, and overwrite them"
	}
	if was.attributes[is.attribute] == nil {
		says += ": stored ones have none, which counts as version 0, and their next write gives them version 1, so that none must be written again"
	} else {
		says += ": what stored ones have there is their version"
	}
	return says + "; programs of the earlier build neither check nor advance it, so that writes can be lost unnoticed while they still run"
}

func createdChange(name string, was, is roled) string {
	says := moved(name, "time of creation", was, is)
	if !is.has {
		return says + ": stored ones keep it, and no write sets it"
	}
	return says + ": a stored " + name + " without it gets the moment of its next Put or Upsert"
}

func updatedChange(name string, was, is roled) string {
	says := moved(name, "time of the last write", was, is)
	if !is.has {
		return says + ": stored ones keep it as it is, however often they are written"
	}
	return says + ": a stored " + name + " has it from its next write on"
}

// ttlChange returns "" if the table's time to live has changed, because the comparison of the table
// reports it.
func (c *comparison) ttlChange(name string, was, is roled) string {
	if c.was.ttl != c.is.ttl {
		return ""
	}
	expires := func(e roled, attribute string) bool {
		l := e.attributes[attribute]
		return l != nil && slices.Contains(l.types, "N")
	}
	switch attribute := c.is.ttl; {
	case is.has && !expires(was, attribute):
		return fmt.Sprintf("%s has its time to live in %s now: stored ones do not expire until they are written again", name, attribute)
	case was.has && !expires(is, attribute):
		return fmt.Sprintf("%s has no time to live any more: stored ones expire by %s until they are written again", name, attribute)
	default:
		return ""
	}
}

func restChange(name string, was, _ roled) string {
	if was.has {
		return name + " has no role rest any more: its next Put drops what a stored one has in attributes without a field"
	}
	return name + " has the role rest now: Put keeps what a stored one has in attributes without a field; programs of the earlier build still drop it"
}
