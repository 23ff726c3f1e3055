package reserved

import "github.com/trestledb/trestle/internal/keyspace"

// TenantIndexType is the value of the type attribute of the item that says that all items of
// tenants are on the tenant index.
const TenantIndexType = Prefix + "#tenantindex"

// TenantIndexKey returns the key of this item, as GuardKey does.
func TenantIndexKey(index string) (partition, sort, sortNumber string) {
	return spread(TenantIndexType + "#" + keyspace.Escaped.Segment(index))
}
