package define_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// sharding describes a shard: its numbers, and the attributes that it is computed from.
type sharding struct {
	counts []int
	from   []string
}

// shardingsOf returns the shards of a type by key attribute.
func shardingsOf(t *testing.T, d definition) map[string]sharding {
	t.Helper()
	s, issues := d.compile()
	require.Empty(t, issues, "%s", textOf(issues))
	found := map[string]sharding{}
	for _, k := range s.Plans[0].Attrs {
		if k.Shard == nil {
			continue
		}
		require.True(t, k.IsShard(k.Shard.At))
		var from []string
		for _, m := range k.Shard.From {
			from = append(from, m.Attr.Members[m.At].Name)
		}
		found[k.Name] = sharding{k.Shard.Counts, from}
	}
	return found
}

func TestShards(t *testing.T) {
	t.Parallel()
	shard := fieldOf("Part", new(int32), `dynamodbav:"part" entity:"shard"`)
	for name, c := range map[string]struct {
		of   definition
		want map[string]sharding
	}{
		"fields in the order of the template": {
			tagged(`pk:"V#<poll>#<shard:voter,poll>" sk:"<voter>" shards:"16"`, ""),
			map[string]sharding{"PK": {[]int{16}, []string{"voter", "poll"}}},
		},
		"an index, from the table's key": {
			tagged(`pk:"V#<poll>" sk:"<voter>#<poll>"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"8, 16"`),
			map[string]sharding{"GSI1PK": {[]int{8, 16}, []string{"poll", "voter"}}},
		},
		"random, and an index from the rest of the key": {
			tagged(`pk:"V#<poll>#<shard>" sk:"<voter>" shards:"1000"`, `on:"GSI1" pk:"T#<shard>" sk:"<at>" shards:"1"`, shard),
			map[string]sharding{"PK": {[]int{1000}, nil}, "GSI1PK": {[]int{1}, []string{"poll", "voter"}}},
		},
		"a sort key first, then a partition key": {
			definition{
				config: trestle.Config{Indexes: []trestle.IndexConfig{
					{Name: "First", Partition: []core.Attribute{{Name: "by"}}, Sort: []core.Attribute{{Name: "X"}}},
					{Name: "Second", Partition: []core.Attribute{{Name: "X"}}, NoSort: true},
				}},
				types: []reflect.Type{reflect.TypeFor[swapped]()},
			},
			map[string]sharding{"X": {[]int{4}, []string{"id"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, shardingsOf(t, c.of))
		})
	}
}

// swapped has one attribute that is a sort key and, in another index, a partition key.
type swapped struct {
	_  Key    `type:"swapped" pk:"S#<id>" sk:"S"`
	_  Index  `name:"by-a" on:"First" sk:"X#<shard>"`
	_  Index  `name:"by-b" on:"Second" pk:"X#<shard>" shards:"4"`
	ID string `dynamodbav:"id"`
	By string `dynamodbav:"by"`
}
