package maintain

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// partition is a partition of the table or of an index that has only items of the tenant.
type partition struct {
	index *core.Index // nil: of the table
	key   core.Attribute
	value string
}

// partitions returns the partitions that have all items of the tenant: those of types and of the
// tenant alone, and that of the tenant index. The partitions of the entries that earlier versions
// stored are among them.
func (r *tenantTask) partitions() ([]partition, error) {
	s := r.Schema
	list := []partition{{nil, s.Partition, s.TenantKey(s.Partition.Name).Start(r.tenant)}}
	for _, p := range s.Plans {
		if p.Tenant == nil {
			continue
		}
		key, index := p.TenantKeyOf()
		if index != nil && s.TenantIndex != nil {
			continue
		}
		var err error
		if list, err = r.addPartitions(list, key.Partition[0], index); err != nil {
			return nil, err
		}
	}
	if x := s.TenantIndex; x != nil {
		key := x.Partition[0]
		list = append(list, partition{x, key, s.TenantKey(key.Name).Start(r.tenant)})
	}
	for _, value := range reserved.RecordedPartitions() {
		list = append(list, partition{nil, s.Partition, s.WithTenant(s.Partition.Name, r.tenant, value)})
	}
	return list, nil
}

// addPartitions adds the partitions of a key that has no other field than the tenant and a shard.
func (r *tenantTask) addPartitions(list []partition, a *core.KeyAttr, index *core.Index) ([]partition, error) {
	shards := 1
	if a.Shard != nil {
		shards = a.Shard.Shards()
	}
	for shard := range shards {
		value, err := a.Template.Render(valuesOf(a, r.tenant, shard)...)
		if err != nil {
			return nil, errs.Wrap(a.Name, err)
		}
		if one := (partition{index, a.Attribute, value}); !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list, nil
}

// unfound returns the first type whose items no partition has, or nil.
func (r *tenantTask) unfound() *core.Plan {
	for _, p := range r.Schema.Plans {
		if p.Tenant == nil {
			continue
		}
		if key, _ := p.TenantKeyOf(); len(key.Partition) == 0 {
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
