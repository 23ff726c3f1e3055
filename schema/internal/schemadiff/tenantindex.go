package schemadiff

// tenantIndex compares how the items of a tenant are found.
func (c *comparison) tenantIndex() {
	const none = "none"
	switch was, is := c.was.TenantIndex, c.is.TenantIndex; {
	case is != "" && is != none && was != is:
		c.add("tenant index is now %s: stored items of the library, such as counters and guards, are not on it; deploy all writers, and then call Reindex without types; until then, remove tenants by a scan", is)
	case is == "" && was != "" && was != none:
		c.add("tenant index %s was removed: tenants are found by a scan; if it is named again later, items stored meanwhile are not on it until Reindex without types", was)
	case is == none && was != is:
		c.add("tenant index is now none: stored counters, locks and documents of tenants stay and are found by a scan only")
	}
	if c.was.Recorded {
		c.add("partitions of tenants are not recorded any more: name a tenant index, or remove tenants by a scan")
	}
}
