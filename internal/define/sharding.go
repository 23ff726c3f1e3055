package define

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// shardPlaceholder is the placeholder of sharded partitions. It is not a field of that name.
const shardPlaceholder = keysyntax.ShardName

const (
	shardsTag  = "shards"
	shardsHint = `such as shards:"16", or shards:"16,32" after a change from 16 to 32`
)

// readShards reads the numbers of shards from a tag.
func (c *compiler) readShards(e *entry, pairs tag.Pairs) {
	text, given := pairs.Lookup(shardsTag)
	if !given {
		return
	}
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			c.add(place{e.field, shardsTag, text, e.pos}.issue("the numbers of shards are not numbers", shardsHint))
			e.broken = true
			return
		}
		e.shards = append(e.shards, n)
	}
}

// checkShards reports numbers of shards that are out of range, or that belong to no placeholder.
func (c *compiler) checkShards(e *entry) {
	if len(e.shards) == 0 {
		return
	}
	at := e.at(shardsTag)
	at.text = shardsText(e.shards)
	if i := slices.IndexFunc(e.shards, func(n int) bool { return n < 1 || n > core.MaxShards }); i >= 0 {
		c.add(at.issue(fmt.Sprintf("the number of shards must be 1 to %d", core.MaxShards), shardsHint))
	}
	named := func(p keysyntax.Placeholder) bool { return p.Name == shardPlaceholder }
	if !slices.ContainsFunc(keysyntax.Placeholders(e.sides[partition]), named) {
		c.add(at.issue("the partition key has no shard", "write <"+shardPlaceholder+"> into pk, or drop "+shardsTag))
	}
}

func shardsText(counts []int) string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

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
		k.Shard.Counts = r.by.shards
		c.resolveShard(k, r)
	}
	if c.plan.Shard != nil && !slices.ContainsFunc(c.plan.Attrs, func(k *core.KeyAttr) bool { return slices.Contains(k.Members, c.plan.Shard) }) {
		f := c.plan.Shard
		c.add(place{f.GoName, roleTag, core.RoleShard, f.Index[0]}.issue("the field has the role shard, but the table's key has no random shard",
			"write <"+shardPlaceholder+"> into its partition key, or drop the role"))
	}
}

// resolveShard finds the fields of one shard.
func (c *compiler) resolveShard(k *core.KeyAttr, r *declaredTemplate) {
	p := k.Template.Fields()[k.Shard.At]
	members := c.tableMembers()
	switch {
	case c.isRandom(k, p) && c.plan.Shard == nil:
		c.add(r.issue(p.Offset, "the shard is random, and no field holds it",
			"add the field Shard *int `dynamodbav:\"shard\" entity:\"shard\"`; or compute it from fields of the key, as in <shard:id>"))
	case c.isRandom(k, p):
	case p.Format == "":
		k.Shard.From = members
	default:
		for _, name := range strings.Split(p.Format, ",") {
			name = strings.TrimSpace(name)
			i := slices.IndexFunc(members, func(m core.KeyMember) bool { return m.Attr.Members[m.At].Name == name })
			if i < 0 {
				c.add(r.issue(p.Offset, "the shard is computed from "+quote(name)+", which is no field of the table's key",
					"use fields of the table's key, which never change"))
				continue
			}
			k.Shard.From = append(k.Shard.From, members[i])
		}
	}
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

// assignShard gives a field the role shard: it holds the shard of an item if that is random.
func (c *compiler) assignShard(f *codec.Field) (reason, hint string) {
	if kind, _ := f.KeyKind(); kind != keys.KindInt || f.Node.Kind != codec.KindPtr || !f.CanSetKey() {
		return "the role shard needs a *int, which is nil until the shard is chosen, but " + fieldAndType(f), "declare it *int"
	}
	f.KeyOnly = true
	c.plan.Shard = f
	return "", ""
}
