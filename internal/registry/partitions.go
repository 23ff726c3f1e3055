package registry

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

var errEntry = errs.New("", "an item among the entries of partitions is no entry", "look for another program that writes the items of the library")

// Derived returns the partition keys of a tenant that follow from the schema: the tenant alone, and
// those of types whose partition key has no other field than the tenant and a shard.
func Derived(s *core.Schema, tenant string) (list []string, err error) {
	list = []string{s.TenantKey(s.Partition.Name).Start(tenant)}
	for _, p := range s.Plans {
		if p.Tenant == nil || !p.DerivesPartitions() {
			continue
		}
		a := p.Table.Partition[0]
		shards := 1
		if a.Shard != nil {
			shards = a.Shard.Shards()
		}
		for shard := range shards {
			partition, err := a.Template.Render(valuesOf(a, tenant, shard)...)
			if err != nil {
				return nil, errs.Wrap(a.Name, err)
			}
			if !slices.Contains(list, partition) {
				list = append(list, partition)
			}
		}
	}
	return list, nil
}

// Unrecorded returns the first type whose partitions neither follow from the schema nor are
// recorded, or nil.
func Unrecorded(s *core.Schema) *core.Plan {
	for _, p := range s.Plans {
		if p.Tenant != nil && !p.DerivesPartitions() && !s.RecordsPartitions {
			return p
		}
	}
	return nil
}

// valuesOf returns the values of the members of such a key.
func valuesOf(a *core.KeyAttr, tenant string, shard int) []keys.Value {
	vals := make([]keys.Value, len(a.Members))
	for i := range vals {
		vals[i] = keys.Text(tenant)
		if a.IsShard(i) {
			vals[i] = keys.Int(int64(shard))
		}
	}
	return vals
}
