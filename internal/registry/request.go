package registry

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// Missing returns the partitions in which a request may store an item, and which need an entry that
// the program does not know.
func (r *Registry) Missing(in any, now time.Time) (partitions []string) {
	add := func(table *string, item op.Item) {
		if aws.ToString(table) == r.table {
			partitions = r.addMissing(partitions, item, now)
		}
	}
	switch in := in.(type) {
	case *dynamodb.PutItemInput:
		add(in.TableName, in.Item)
	case *dynamodb.UpdateItemInput:
		add(in.TableName, in.Key)
	case *dynamodb.BatchWriteItemInput:
		for table, writes := range in.RequestItems {
			for _, w := range writes {
				if w.PutRequest != nil {
					add(&table, w.PutRequest.Item)
				}
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, a := range in.TransactItems {
			switch {
			case a.Put != nil:
				add(a.Put.TableName, a.Put.Item)
			case a.Update != nil:
				add(a.Update.TableName, a.Update.Key)
			}
		}
	}
	return partitions
}

// MissingOf returns the partitions of stored items that need an entry which the program does not
// know, by the keys of the items.
func (r *Registry) MissingOf(keys []op.Item, now time.Time) (partitions []string) {
	for _, key := range keys {
		partitions = r.addMissing(partitions, key, now)
	}
	return partitions
}

// addMissing adds the partition of a key to a list, if it is missing there and in the registry.
func (r *Registry) addMissing(partitions []string, key op.Item, now time.Time) []string {
	partition, ok := core.KeyText(r.schema.Partition.Type, key[r.schema.Partition.Name])
	if ok && !slices.Contains(partitions, partition) && needsEntry(r.schema, partition) && !r.knows(partition, now) {
		partitions = append(partitions, partition)
	}
	return partitions
}

// needsEntry reports whether a partition needs an entry: it is that of a tenant, and does not
// follow from the schema and the tenant. The library's own partitions need one, except those of
// guards and entries.
func needsEntry(s *core.Schema, partition string) bool {
	k := s.TenantKey(s.Partition.Name)
	tenant, ok := k.Of(partition)
	if !ok {
		return false
	}
	own := k.Cut(partition)
	switch {
	case partition == k.Start(tenant): // own is the whole key
		return false
	case reserved.Is(own):
		return !reserved.IsGuard(own) && !reserved.IsPartitions(own)
	default:
		return s.RecordsPartitions
	}
}
