package schemadoc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
)

// Sharding is where the shard of a key comes from, in the words of descriptions.
type Sharding string

// The sources of a shard.
const (
	ShardOfFields   Sharding = ""                 // computed from the fields that the template names
	ShardOfTableKey Sharding = "by the table key" // computed from all fields of the table's key
	ShardAtRandom   Sharding = "at random"        // chosen by the write that stores the item
)

// shardsText describes the shards of a key attribute: their numbers, the current one last, and
// where a shard comes from if the template does not name fields, as in "16,32 by the table key".
func shardsText(a *core.KeyAttr) string {
	text := countsText(a.Shard.Counts)
	if s := shardingOf(a); s != ShardOfFields {
		text += " " + string(s)
	}
	return text
}

func shardingOf(a *core.KeyAttr) Sharding {
	switch {
	case a.Template.Format(a.Shard.At) != "":
		return ShardOfFields
	case a.Shard.Random():
		return ShardAtRandom
	default:
		return ShardOfTableKey
	}
}

// countsText returns numbers of shards as a tag has them.
func countsText(counts []int) string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// parseShards parses the text of shardsText. It returns false if the text is not valid, or does not
// fit the template: exactly the templates with a shard have numbers of shards.
func (k *Key) parseShards(text string, sharded bool) bool {
	placeholders := keysyntax.Placeholders(k.Template)
	i := slices.IndexFunc(placeholders, func(p keysyntax.Placeholder) bool { return p.Name == keysyntax.ShardName })
	if !sharded || i < 0 {
		return !sharded && i < 0
	}
	counts, source, _ := strings.Cut(text, " ")
	for count := range strings.SplitSeq(counts, ",") {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > core.MaxShards {
			return false
		}
		k.Shards = append(k.Shards, n)
	}
	k.Sharding = Sharding(source)
	if placeholders[i].Format != "" {
		return k.Sharding == ShardOfFields
	}
	return k.Sharding == ShardOfTableKey || k.Sharding == ShardAtRandom
}
