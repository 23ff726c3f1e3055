package schemadiff

import (
	"maps"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// entity compares a type with its earlier version.
func (c *comparison) entity(was *schemadoc.Entity) {
	is := c.is.Entity(was.Name)
	if is == nil {
		if is = c.successor(was); is == nil {
			c.add("entity %s was removed: the type of its stored items is unknown; delete them, or keep the entity", was.Name)
			if len(was.Uniques) > 0 {
				c.add("the guards of the unique values of %s remain: delete its items with the earlier build, which deletes them too", was.Name)
			}
			c.removedCounts(was)
			return
		}
		if c.is.TypeAttr != "" {
			c.add("entity %s was removed, and entity %s has the same keys: if it was renamed, write every stored %s again; its type is unknown until then", was.Name, is.Name, was.Name)
		}
	}
	for _, attribute := range sorted(was.Keys) {
		c.key(attribute, was, is)
	}
	for _, attribute := range sorted(is.Keys) {
		if _, existed := was.Keys[attribute]; !existed && !storedAlike(was.Attributes[attribute], is.Attributes[attribute]) {
			c.add("key %s of %s is new, with the value %s: no stored %s has it until Reindex of %s, and queries that use it miss stored items until then", attribute, was.Name, is.Keys[attribute].Text, was.Name, was.Name)
		}
	}
	c.uniques(was, is)
	c.counts(was, is)
	c.roles(was, is)
	c.lifetime(was, is)
	_, rest := is.Roles[core.RoleRest]
	l := location{entity: was.Name, rest: rest, node: c.structOf(is.Name), seen: map[[2]*schemadoc.Contents]bool{}}
	before, after := c.withoutKeyOnly(was, is)
	c.attributes(l, before, after)
}

// structOf returns the Go struct of a type.
func (c *comparison) structOf(name string) *codec.Node {
	return &codec.Node{Kind: codec.KindStruct, Struct: c.planOf(name).Shape}
}

// planOf returns the plan of a type.
func (c *comparison) planOf(name string) *core.Plan {
	i := slices.IndexFunc(c.schema.Plans, func(p *core.Plan) bool { return p.Name == name })
	return c.schema.Plans[i]
}

// successor returns the new type that has the same keys as a removed type, or nil.
func (c *comparison) successor(removed *schemadoc.Entity) *schemadoc.Entity {
	for _, e := range c.is.Entities {
		sameKeys := maps.EqualFunc(removed.Keys, e.Keys, func(a, b schemadoc.Key) bool { return a.Text == b.Text })
		if sameKeys && c.was.Entity(e.Name) == nil {
			return e
		}
	}
	return nil
}

// withoutKeyOnly returns the earlier and the new attributes of a type, without those that were or
// are only part of a key. It reports the effects of such changes.
func (c *comparison) withoutKeyOnly(was, is *schemadoc.Entity) (before, after map[string]*schemadoc.Layout) {
	before, after = maps.Clone(was.Attributes), maps.Clone(is.Attributes)
	for _, a := range sorted(is.Attributes) {
		key, wasKey := was.Keys[a]
		switch {
		case was.Attributes[a] != nil || !inKeys(was, a):
			continue
		case wasKey:
			c.add("attribute %s of %s was only the key %s, and is now stored as %s: a stored %s may be unreadable until it is written again",
				a, was.Name, key.Text, is.Attributes[a].Text, was.Name)
		default:
			c.add("attribute %s of %s was only a part of keys, and is now stored: no stored %s has it; write every stored %s again", a, was.Name, was.Name, was.Name)
		}
		delete(after, a)
	}
	for _, a := range sorted(was.Attributes) {
		if is.Attributes[a] == nil && inKeys(is, a) {
			c.add("attribute %s of %s is now only a part of keys: it is decoded from a key, which may hold less of its value; every stored %s keeps the attribute until it is put again", a, was.Name, was.Name)
			delete(before, a)
		}
	}
	return before, after
}

// storedAlike reports whether a key attribute was already an attribute of the earlier type, in the
// same format.
func storedAlike(was, is *schemadoc.Layout) bool {
	return was != nil && is != nil && slices.Equal(was.Types, is.Types) && was.GoType.Format == is.GoType.Format
}

// inKeys reports whether a key of the type contains a field. A computed shard is no field.
func inKeys(e *schemadoc.Entity, field string) bool {
	if _, random := e.Roles[core.RoleShard]; field == keysyntax.ShardName && !random {
		return false
	}
	return slices.ContainsFunc(sorted(e.Keys), func(name string) bool {
		placeholders := keysyntax.Placeholders(e.Keys[name].Template)
		return slices.ContainsFunc(placeholders, func(p keysyntax.Placeholder) bool { return p.Name == field })
	})
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
