package shard

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// counter is the counter of a name, as one Region counts it. It has a total item and shards.
type counter struct {
	name   string
	region string // empty: the table is not global
}

// layout determines the keys and the attributes of the items of a family.
type layout struct {
	schema *core.Schema
	tenant string // of the items; empty: none
	family string
	keys   *templates // nil: the keys that the library reserves
	most   int        // the number of shards that can have keys

	value   string // the attribute of a shard that has its value
	total   string // the attribute of the total item that has the last roll-up
	updated string // the attribute with the time of the last change; empty: none
}

// newLayout returns the layout of a family of a tenant, or of none. keys may be nil.
func newLayout(s *core.Schema, tenant, family string, keys *Keys) (layout, error) {
	l := layout{schema: s, tenant: tenant, family: family, most: maxShards, value: attrValue, total: attrTotal}
	if keys == nil {
		return l, nil
	}
	var err error
	l.keys, err = keys.compile(s)
	l.most = keys.most()
	l.value, l.total, l.updated = keys.Count, keys.TotalCount, keys.Updated
	return l, err
}

const (
	partTotal = "total"
	shardForm = "%03d"
)

// totalKey returns the key of the total item.
func (l *layout) totalKey(c counter) (op.Item, error) {
	if l.keys != nil {
		return l.keys.totalKey(c.name)
	}
	return l.countKey(c, partTotal)
}

// markKey returns the key of the marker of an increment.
func (l *layout) markKey(c counter, key string) (op.Item, error) {
	return l.reserved(reserved.MarkKey(l.family, c.name, key))
}

// countKey returns the key of a part of a counter.
func (l *layout) countKey(c counter, part string) (op.Item, error) {
	return l.reserved(reserved.CounterKey(l.family, c.name, c.in(part)))
}

// in returns the name of a part of the counter, with the Region if there is one.
func (c counter) in(part string) string {
	if c.region == "" {
		return part
	}
	return keyspace.Escaped.Segment(c.region) + "#" + part
}

func (l *layout) reserved(partition, sort, sortNumber string) (op.Item, error) {
	if len(l.partition(partition)) > reserved.MaxPartitionKey || len(l.sort(sort)) > maxSortKey {
		return nil, errLongKey
	}
	return l.schema.ReservedKey(l.tenant, partition, sort, sortNumber), nil
}

// partition returns a reserved partition key as it is for the tenant.
func (l *layout) partition(key string) string {
	return l.schema.WithTenant(l.schema.Partition.Name, l.tenant, key)
}

// sort returns a sort key of a reserved partition as it is for the tenant.
func (l *layout) sort(key string) string {
	return l.schema.WithTenant(l.schema.Sort.Name, l.tenant, key)
}

// sortText returns what sort was called with for the sort key of an item.
func (l *layout) sortText(item op.Item) (string, bool) {
	text, ok := core.KeyText(l.schema.Sort.Type, item[l.schema.Sort.Name])
	own, cut := strings.CutPrefix(text, l.sort(""))
	return own, ok && cut
}

var (
	errLongKey  = tooLong("an item of the counter would have a partition key of more than 2048 bytes", "use a shorter name or key")
	errLongName = tooLong("the name would have a sort key of more than 1024 bytes in the list of names", "use a shorter name, or Names instead of Listed")
)

// tooLong returns the error of a limit.
func tooLong(reason, hint string) error {
	var wrong errs.Problems
	wrong.AddLimit("", reason, hint)
	return wrong.Err()
}
