package schemadiff

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// partitions compares whether writes record the partitions of a type, which lead the removal of a
// tenant to its items.
func (c *comparison) partitions(was, is *schemadoc.Entity) {
	plan := c.planOf(is.Name)
	_, had := was.Roles[core.RoleTenant]
	had = had && c.was.Recorded
	switch has := plan.RecordsPartitions(); {
	case has && !had:
		c.add("partitions of %s are recorded now: that of a stored %s is not until Reindex of %s, or until the item is written again; deploy all writers, then call Reindex, and until then remove tenants with RemoveByScan",
			was.Name, was.Name, was.Name)
	case had && !has && plan.Tenant != nil && !plan.DerivesPartitions():
		c.add("partitions of %s are not recorded any more: remove tenants with RemoveByScan; if they are recorded again later, those of items stored meanwhile are not until Reindex of %s",
			was.Name, was.Name)
	}
}
