package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// The attributes of an entry, besides its key.
const (
	attrPartition = reserved.PartitionAttribute
	attrSeen      = "_seen" // in milliseconds since 1970
)

// Entry is what the table holds of a partition.
type Entry struct {
	Key       op.Item
	Partition string // the partition key
	Seen      time.Time
}

// Buckets returns the partition keys of a tenant's entries.
func Buckets(s *core.Schema, tenant string) (list []string) {
	for i := range reserved.PartitionsBuckets {
		list = append(list, s.WithTenant(s.Partition.Name, tenant, reserved.PartitionsPartition(i)))
	}
	return list
}

// EntryOf returns the entry that an item is. It returns an error for any other item.
func EntryOf(s *core.Schema, item op.Item) (Entry, error) {
	partition, _ := item[attrPartition].(*types.AttributeValueMemberS)
	seen, _ := item[attrSeen].(*types.AttributeValueMemberN)
	if partition == nil || seen == nil {
		return Entry{}, errEntry
	}
	ms, err := strconv.ParseInt(seen.Value, 10, 64)
	if err != nil {
		return Entry{}, errEntry
	}
	return Entry{s.KeyOf(core.NewRow(item)), partition.Value, time.UnixMilli(ms)}, nil
}

// key returns the key of the entry of a partition. The sort key is a hash, because a partition key
// can be longer than a sort key.
func (r *Registry) key(partition string) op.Item {
	s := r.schema
	tenant, _ := s.TenantKey(s.Partition.Name).Of(partition)
	sum := sha256.Sum256([]byte(partition))
	bucket := int(sum[0]) % reserved.PartitionsBuckets
	return op.Item{
		s.Partition.Name: core.KeyValue(s.Partition.Type, s.WithTenant(s.Partition.Name, tenant, reserved.PartitionsPartition(bucket))),
		s.Sort.Name:      core.KeyValue(s.Sort.Type, s.WithTenant(s.Sort.Name, tenant, hex.EncodeToString(sum[:]))),
	}
}

// Put returns the update that stores the entry of a partition. Its condition fails if the entry has
// a later time already.
func (r *Registry) Put(partition string, now time.Time) op.Action {
	s := r.schema
	a := op.Action{
		Verb: op.Update, Plan: &core.Plan{Schema: s}, Table: r.table, Key: r.key(partition), Idempotent: true,
		Update: "SET #p = :p, #s = :s", Condition: "attribute_not_exists(#s) OR #s < :s",
		Names:  map[string]string{"#p": attrPartition, "#s": attrSeen},
		Values: op.Item{":p": &types.AttributeValueMemberS{Value: partition}, ":s": milliseconds(now)},
	}
	if s.TypeAttr != "" {
		a.Update += ", #t = :t"
		a.Names["#t"], a.Values[":t"] = s.TypeAttr, &types.AttributeValueMemberS{Value: reserved.PartitionsType}
	}
	return a
}

// Delete returns the deletion of an entry, unless it has another time meanwhile.
func (e Entry) Delete(s *core.Schema) op.Action {
	return op.Action{
		Verb: op.Delete, Plan: &core.Plan{Schema: s}, Key: e.Key, Idempotent: true,
		Condition: "#s = :s", Names: map[string]string{"#s": attrSeen}, Values: op.Item{":s": milliseconds(e.Seen)},
	}
}

func milliseconds(t time.Time) core.AV {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(t.UnixMilli())}
}
