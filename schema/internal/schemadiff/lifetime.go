package schemadiff

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// lifetime compares the lifetime of a type.
func (c *comparison) lifetime(was, is *schemadoc.Entity) {
	before, after := schemadoc.DurationText(was.Lifetime), schemadoc.DurationText(is.Lifetime)
	_, expires := is.Roles[core.RoleTTL]
	switch {
	case was.Lifetime == is.Lifetime:
	case was.Lifetime == 0:
		c.add("lifetime of %s is new, %s: a stored %s without a time to live does not expire until its next Put or Upsert", was.Name, after, was.Name)
	case is.Lifetime == 0 && expires:
		c.add("lifetime of %s was removed: every stored %s keeps its time to live, and a write sets none", was.Name, was.Name)
	case is.Lifetime == 0: // the role was removed too, which is reported
	default:
		c.add("lifetime of %s changed from %s to %s: every stored %s keeps its time to live", was.Name, before, after, was.Name)
	}
}
