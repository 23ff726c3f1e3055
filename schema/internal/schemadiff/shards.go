package schemadiff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// shards compares the numbers of shards of a key attribute. It returns false if the shards come
// from elsewhere now, which changes keys.
func (c *comparison) shards(attribute, entity string, was, is schemadoc.Key) (alike bool) {
	switch {
	case len(was.Shards) == 0 || len(is.Shards) == 0 || was.Sharding != is.Sharding:
		return len(was.Shards) == len(is.Shards)
	case slices.Equal(was.Shards, is.Shards):
	case slices.Contains(c.is.TableKey, attribute) && is.Sharding != schemadoc.ShardAtRandom:
		c.placedShards(attribute, entity, was.Shards, is.Shards)
	default:
		c.readShards(attribute, entity, was, is)
	}
	return true
}

// placedShards compares the numbers of shards of the table's key, if they are computed. An item
// stays in the shard where it was created, and is looked for under each number of the list.
func (c *comparison) placedShards(attribute, entity string, was, is []int) {
	removed := without(was, is)
	added := without(is[len(is)-1:], was)
	switch {
	case len(removed) > 0:
		c.add("key %s of %s changed from %s to %s shards: a stored %s that was created with %s shards is not found by its key, and a put stores it twice; keep the number, as in shards:%q, or move every stored %s to its new table key",
			attribute, entity, list(was), list(is), entity, strings.Join(texts(removed), " or "), list(slices.Concat(removed, is)), entity)
	case len(added) > 0:
		c.add("key %s of %s changed from %s to %s shards: every stored %s stays in its shard and is found there; first deploy shards:%q to all programs, because programs of the earlier build do not find an item in a new shard, and can store it twice",
			attribute, entity, list(was), list(is), entity, list(append(added, was...)))
	}
}

// readShards compares the numbers of shards of a key that only queries depend on: they read as many
// shards as the greatest number.
func (c *comparison) readShards(attribute, entity string, was, is schemadoc.Key) {
	before, after := slices.Max(was.Shards), slices.Max(is.Shards)
	current := is.Shards[len(is.Shards)-1]
	switch {
	case before > after && is.Sharding == schemadoc.ShardAtRandom:
		c.add("key %s of %s changed from %s to %s shards: no query reads the shards %d to %d; keep the number in the list, as in shards:%q, or move every stored %s in them",
			attribute, entity, list(was.Shards), list(is.Shards), after, before-1, list(append([]int{before}, is.Shards...)), entity)
	case before > after:
		c.add("key %s of %s changed from %s to %s shards: no query reads the shards %d to %d; keep the number in the list, as in shards:%q, or write every stored %s again, to update its index entries",
			attribute, entity, list(was.Shards), list(is.Shards), after, before-1, list(append([]int{before}, is.Shards...)), entity)
	case current > before:
		c.add("key %s of %s changed from %s to %s shards: no stored %s must be written again; first deploy shards:%q to all programs, because programs of the earlier build do not read the new shards",
			attribute, entity, list(was.Shards), list(is.Shards), entity, list(append([]int{current}, was.Shards...)))
	}
}

// list returns numbers as the tag shards has them.
func list(counts []int) string {
	return strings.Join(texts(counts), ",")
}

func texts(counts []int) []string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = strconv.Itoa(n)
	}
	return texts
}

// without returns the numbers of a list that another list does not have.
func without(list, other []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(other, n) })
}

// fieldsOf returns the fields that a placeholder names: one, or those that a shard is computed
// from.
func fieldsOf(p keysyntax.Placeholder) []string {
	switch {
	case p.Name != keysyntax.ShardName:
		return []string{p.Name}
	case p.Format == "":
		return nil
	default:
		return strings.Split(p.Format, ",")
	}
}
