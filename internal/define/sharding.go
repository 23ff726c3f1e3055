package define

import (
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// shardPlaceholder is the placeholder of sharded partitions. It is not a field of that name.
const shardPlaceholder = keysyntax.ShardName

const (
	shardsTag  = "shards"
	shardsHint = `such as shards:"16", or shards:"16,32" after a change from 16 to 32`
	shardField = "Shard *int `dynamodbav:\"shard\" entity:\"shard\"`"
)

// shardMember makes the placeholder p of a key attribute its shard, and returns its member. It is
// nil after an issue.
func (c *compiler) shardMember(k *core.KeyAttr, p keys.Field) *codec.Field {
	s := &core.Sharding{At: len(k.Members)}
	k.Shard = s
	if c.isRandom(k, p) && c.plan.Shard != nil {
		return c.plan.Shard
	}
	return codec.Derived(shardPlaceholder, func(at codec.Ptr) (keys.Value, error) { return s.Of(c.plan, at, s.Current()) })
}

// isRandom reports whether a shard is random: no fields follow it, and it is in the table's key.
func (c *compiler) isRandom(k *core.KeyAttr, p keys.Field) bool {
	return p.Format == "" && c.schema.InTableKey(k.Name)
}

// resolveShards finds the fields that the shards are computed from, once the table's key is
// compiled.
func (c *compiler) resolveShards() {
	for _, k := range c.plan.Attrs {
		r := c.templates[k.Name]
		if k.Shard == nil || r == nil {
			continue
		}
		if k.Shard.Counts = r.by.shards; len(k.Shard.Counts) == 0 { // an issue is reported
			k.Shard.Counts = []int{1}
		}
		c.resolveShard(k, r)
	}
	c.checkShardRole()
}

// resolveShard finds the fields of one shard.
func (c *compiler) resolveShard(k *core.KeyAttr, r *declaredTemplate) {
	p := k.Template.Fields()[k.Shard.At]
	members := c.tableMembers()
	switch {
	case c.isRandom(k, p):
		c.checkRandomShard(r, p)
	case p.Format != "":
		c.resolveShardFields(k, r, p, members)
	case len(members) == 0 && c.tableComplete():
		c.add(r.issue(p.Offset, "the shard is computed from the fields of the table's key, but that key has none", "write a field into the table's key"))
	default:
		k.Shard.From = members
	}
	c.checkSpread(k, r, p)
}

// tableMembers returns the members of the table's key except shards, each field once: the first
// member that holds the whole field, or else the last one. So the shard of a time is not that of
// its day if the sort key has the time in milliseconds.
func (c *compiler) tableMembers() (members []core.KeyMember) {
	for k := range c.plan.Table.Attributes() {
		for i, f := range k.Members {
			if f == c.plan.Shard || f.IsDerived() {
				continue
			}
			m := core.KeyMember{Attr: k, At: i}
			at := slices.IndexFunc(members, func(o core.KeyMember) bool { return o.Attr.Members[o.At] == f })
			switch {
			case at < 0:
				members = append(members, m)
			case !members[at].Attr.Template.Lossless(members[at].At):
				members[at] = m
			}
		}
	}
	return members
}

// tableComplete reports whether every attribute of the table's key is compiled. If not, an issue is
// reported.
func (c *compiler) tableComplete() bool {
	s, t := c.schema, c.plan.Table
	return len(t.Partition) == len(s.PartitionKey()) && len(t.Sort) == len(s.SortKey())
}
