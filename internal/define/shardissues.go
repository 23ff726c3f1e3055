package define

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// addMisplacedShard reports a shard in a template that cannot have one.
func (c *compiler) addMisplacedShard(r *declaredTemplate) bool {
	p, found := shardIn(r.text)
	switch {
	case !found:
		return false
	case r.side == sort && c.otherSide(r):
		return false
	case r.side == sort:
		c.add(r.issue(p.Offset, "a shard selects a partition, and cannot be in a sort key", "move it to pk, and set the number of shards there"))
	case r.multi:
		c.add(r.issue(p.Offset, "a key of several attributes cannot have shards", "use an index with one partition key attribute"))
	case !r.by.sharded && p.Format == "" && c.hasAttributeShard():
		c.add(r.issue(p.Offset, "the name shard is reserved for sharded partitions", "rename the attribute; or set the number of shards, "+r.by.shardsHint()))
	case !r.by.sharded:
		c.add(r.issue(p.Offset, "the template has a shard, but no number of shards is set", r.by.shardsHint()))
	default:
		return false
	}
	return true
}

// hasAttributeShard reports whether the type has an attribute of that name which holds no shard.
func (c *compiler) hasAttributeShard() bool {
	f := c.plan.Shape.ByName(shardPlaceholder)
	return f != nil && f != c.plan.Shard
}

// otherSide reports whether the sort key attribute is a partition key elsewhere, with the same
// template and shards.
func (c *compiler) otherSide(r *declaredTemplate) bool {
	return slices.ContainsFunc(append(slices.Clone(c.decl.indexes), c.decl.table), func(e *entry) bool {
		return e != nil && e.sharded && e.sides[partition] == r.text
	})
}

// addShardOutsideKey reports a shard in the template of a unique value or of a counting item.
func (c *compiler) addShardOutsideKey(at place, hint string) bool {
	p, found := shardIn(at.text)
	if found {
		c.add(at.issueAt(p.Offset, "only the keys of the type itself can have a shard", hint))
	}
	return found
}

// resolveShardFields finds the fields that follow the name of a shard.
func (c *compiler) resolveShardFields(k *core.KeyAttr, r *declaredTemplate, p keys.Field, members []core.KeyMember) {
	names := strings.Split(p.Format, ",")
	for i, name := range names {
		at := slices.IndexFunc(members, func(m core.KeyMember) bool { return m.Attr.Members[m.At].Name == name })
		reason, hint := c.shardFieldIssue(names, i, at >= 0, members)
		switch {
		case reason != "":
			c.add(r.issue(p.Offset, reason, hint))
			return
		case at >= 0: // otherwise an issue of the table's key may explain it
			k.Shard.From = append(k.Shard.From, members[at])
		}
	}
}

// shardFieldIssue returns what is wrong with name i of a shard, or "".
func (c *compiler) shardFieldIssue(names []string, i int, found bool, members []core.KeyMember) (reason, hint string) {
	switch name := names[i]; {
	case name == "":
		return "a comma has no field before or after it", "write " + withShardFields(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" }))
	case slices.Contains(names[:i], name):
		return "the shard is computed from " + quote(name) + " twice", "write " + withShardFields(slices.Delete(slices.Clone(names), i, i+1))
	case !found && c.tableComplete():
		return "the shard is computed from " + quote(name) + ", which is no field of the table's key", c.shardFieldHint(names, i, members)
	default:
		return "", ""
	}
}

func withShardFields(names []string) string {
	if len(names) == 0 {
		return "<" + shardPlaceholder + ">"
	}
	return "<" + shardPlaceholder + ":" + strings.Join(names, ",") + ">"
}

// shardFieldHint returns the hint for a name that is no field of the table's key.
func (c *compiler) shardFieldHint(names []string, i int, members []core.KeyMember) string {
	var possible, goNames []string
	for _, m := range members {
		f := m.Attr.Members[m.At]
		possible, goNames = append(possible, f.Name), append(goNames, f.GoName)
	}
	words := slices.Concat(possible, goNames)
	if meant := slices.Index(words, tag.Suggest(names[i], words)); meant >= 0 && c.plan.Shape.ByName(names[i]) == nil {
		fixed := slices.Clone(names)
		fixed[i] = possible[meant%len(possible)]
		return "did you mean " + withShardFields(fixed) + "?"
	}
	if len(possible) == 0 {
		return "write a field into the table's key"
	}
	return "use fields of the table's key, which never change: " + joinWords(possible)
}

// checkSpread reports a shard that all items of a partition share, because the partition key holds
// everything that the shard is computed from.
func (c *compiler) checkSpread(k *core.KeyAttr, r *declaredTemplate, p keys.Field) {
	if k.Shard.Random() || slices.ContainsFunc(k.Shard.From, func(m core.KeyMember) bool { return !k.Holds(m) }) {
		return
	}
	hint := "compute it from another field of the table's key, which differs among the items of a partition"
	if c.schema.InTableKey(k.Name) {
		hint = "compute it from a field of the sort key; if the items of a partition need no shards, drop it and its number"
	}
	c.add(r.issue(p.Offset, "the shard is computed only from fields that the partition key has as well, so a partition has all its items in one shard", hint))
}

// checkRandomShard reports a random shard that no field holds.
func (c *compiler) checkRandomShard(r *declaredTemplate, p keys.Field) {
	if c.plan.Shard != nil || slices.ContainsFunc(c.declaredRoles, func(d declaredRole) bool { return d.text == core.RoleShard }) {
		return // the issue of a role is reported
	}
	hint := "add the field " + shardField
	if f := c.plan.Shape.ByName(shardPlaceholder); f != nil {
		hint = "declare it as " + shardField
	}
	if members := c.tableMembers(); len(members) > 0 {
		last := members[len(members)-1]
		hint += "; or compute it from fields of the key, as in " + withShardFields([]string{last.Attr.Members[last.At].Name})
	}
	c.add(r.issue(p.Offset, "the shard is random, and no field with the role shard holds it", hint))
}

// checkShardRole reports a field with the role shard that holds no shard. It does not, if the
// partition key has a random shard with another issue.
func (c *compiler) checkShardRole() {
	f := c.plan.Shard
	if f == nil || slices.ContainsFunc(c.plan.Attrs, func(k *core.KeyAttr) bool { return slices.Contains(k.Members, f) }) {
		return
	}
	if c.decl.table != nil {
		if p, found := shardIn(c.decl.table.sides[partition]); found && p.Format == "" {
			return
		}
	}
	c.add(place{f.GoName, roleTag, core.RoleShard, f.Index[0]}.issue("the field has the role shard, but the table's key has no random shard",
		"add <"+shardPlaceholder+"> to its partition key, or drop the role"))
}
