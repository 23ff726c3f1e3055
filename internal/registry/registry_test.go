package registry_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/registry"
	"github.com/trestledb/trestle/keys"
)

// schema is one whose keys start with T# and the tenant.
func schema(records bool) *core.Schema {
	return &core.Schema{
		Partition: core.Attribute{Name: "PK", Type: keys.S}, Sort: core.Attribute{Name: "SK", Type: keys.S}, Delimiter: "#", TypeAttr: "_type",
		Tenants: []core.TenantKey{{Name: "PK", Literal: "T#", Escaped: true, Delimiter: "#"}}, RecordsPartitions: records,
	}
}

func put(table, partition string) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: partition}}}
}

// A partition of a tenant needs an entry, unless it is the tenant's alone, or holds guards or
// entries. Those of entities need one only if the schema records them.
func TestMissing(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	for partition, of := range map[string]struct{ library, entity bool }{
		"T#1": {}, "T#1#ORDER#2": {entity: true}, "T#1#$U#count#a": {true, true}, "T#1#$U#unique#user#a": {}, "T#1#$U#partitions#07": {},
		"PLAN#1": {}, "$U#count#a": {}, "T#": {},
	} {
		for records, needs := range map[bool]bool{false: of.library, true: of.entity} {
			r := registry.New(schema(records), "table")
			require.Equal(t, needs, len(r.Missing(put("table", partition), now)) == 1, "%s %t", partition, records)
			require.Empty(t, r.Missing(put("other", partition), now))
		}
	}
}

// All inputs that may create an item are looked at, and each partition is listed once.
func TestMissing_inputs(t *testing.T) {
	t.Parallel()
	now, r := time.Unix(1_000_000, 0), registry.New(schema(true), "table")
	table, a, b := aws.String("table"), put("table", "T#1#A").Item, put("table", "T#1#B").Item
	for name, c := range map[string]struct {
		in   any
		want []string
	}{
		"update": {&dynamodb.UpdateItemInput{TableName: table, Key: a}, []string{"T#1#A"}},
		"delete": {&dynamodb.DeleteItemInput{TableName: table, Key: a}, nil},
		"get":    {&dynamodb.GetItemInput{TableName: table, Key: a}, nil},
		"batch": {&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"table": {
			{PutRequest: &types.PutRequest{Item: a}}, {PutRequest: &types.PutRequest{Item: a}}, {DeleteRequest: &types.DeleteRequest{Key: b}},
		}}}, []string{"T#1#A"}},
		"transaction": {&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: table, Item: a}}, {Update: &types.Update{TableName: table, Key: b}},
			{Delete: &types.Delete{TableName: table, Key: a}}, {ConditionCheck: &types.ConditionCheck{TableName: table, Key: a}},
		}}, []string{"T#1#A", "T#1#B"}},
	} {
		require.Equal(t, c.want, r.Missing(c.in, now), name)
	}
}

// An entry is relied on for an hour, and the program remembers a bounded number of them.
func TestKnow(t *testing.T) {
	t.Parallel()
	now, r := time.Unix(1_000_000, 0), registry.New(schema(true), "table")
	missing := func(n int, at time.Time) bool { return len(r.Missing(put("table", fmt.Sprint("T#1#", n)), at)) == 1 }
	r.Know("T#1#0", now)
	require.False(t, missing(0, now.Add(time.Hour-1)))
	require.True(t, missing(0, now.Add(time.Hour)))
	known := 0
	for n := range 15_000 {
		r.Know(fmt.Sprint("T#1#", n), now)
	}
	for n := range 15_000 {
		if !missing(n, now) {
			known++
		}
	}
	require.Positive(t, known)
	require.LessOrEqual(t, known, 10_000)
}

// An entry is settled two hours after its time, at the time that SettledAt returns.
func TestSettled(t *testing.T) {
	t.Parallel()
	seen := time.Unix(1_000_000, 0)
	require.Equal(t, seen.Add(2*time.Hour), registry.SettledAt(seen))
	require.False(t, registry.Settled(seen, registry.SettledAt(seen).Add(-1)))
	require.True(t, registry.Settled(seen, registry.SettledAt(seen)))
}

// After the clock was set back before the time of the entry, the program stores the entry again.
func TestKnow_clock(t *testing.T) {
	t.Parallel()
	r := registry.New(schema(true), "table")
	missing := func(at time.Time) bool { return len(r.Missing(put("table", "T#1#A"), at)) == 1 }
	now := time.Now()
	r.Know("T#1#A", now)
	require.False(t, missing(now))
	require.True(t, missing(now.Round(0).Add(time.Hour)))
	require.True(t, missing(now.Add(-time.Second)))
}
