package define

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/internal/tag"
)

// readShards reads the numbers of shards from a tag.
func (c *compiler) readShards(e *entry, pairs tag.Pairs) {
	text, given := pairs.Lookup(shardsTag)
	if !given {
		return
	}
	e.sharded = true
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			c.add(place{e.field, shardsTag, text, e.pos}.issue("the numbers of shards must be whole numbers with commas between them", shardsHint))
			e.shards = nil
			return
		}
		e.shards = append(e.shards, n)
	}
}

// checkShards reports numbers of shards that are out of range, or that belong to no placeholder.
func (c *compiler) checkShards(e *entry) {
	if !e.sharded {
		return
	}
	at := e.at(shardsTag)
	at.text = shardsText(e.shards)
	if slices.ContainsFunc(e.shards, func(n int) bool { return n < 1 || n > core.MaxShards }) {
		c.add(at.issue(fmt.Sprintf("the number of shards must be 1 to %d", core.MaxShards), e.shardsHint()))
	} else if once := lastOfEach(e.shards); len(once) < len(e.shards) {
		c.add(at.issue("a number of shards appears twice", e.writeShards(once)+"; the last number is that of new items"))
	}
	if _, found := shardIn(e.sides[partition]); !found && !e.misplacesShard() {
		c.add(at.issue("the partition key has no shard", "add <"+shardPlaceholder+"> to pk, or drop "+shardsTag))
	}
}

// misplacesShard reports whether the sort key has a shard, which another issue reports.
func (e *entry) misplacesShard() bool {
	_, found := shardIn(e.sides[sort])
	return found
}

// shardsHint returns a hint with numbers of shards for a tag or a Spec.
func (e *entry) shardsHint() string {
	if e.ofSpec() {
		return "set Shards to []int{16}, or to []int{16, 32} after a change from 16 to 32"
	}
	return shardsHint
}

// writeShards returns a hint to declare the given numbers of shards.
func (e *entry) writeShards(counts []int) string {
	if e.ofSpec() {
		return "set Shards to []int{" + strings.ReplaceAll(shardsText(counts), ",", ", ") + "}"
	}
	return "write " + shardsTag + ":" + quote(shardsText(counts))
}

// ofSpec reports whether a Spec declares the key, and not a tag.
func (e *entry) ofSpec() bool { return strings.HasPrefix(e.field, "Spec.") }

// lastOfEach returns numbers without those that follow again.
func lastOfEach(numbers []int) (once []int) {
	for i, n := range numbers {
		if !slices.Contains(numbers[i+1:], n) {
			once = append(once, n)
		}
	}
	return once
}

func shardsText(counts []int) string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// shardIn returns the first shard in a template.
func shardIn(text string) (p keysyntax.Placeholder, found bool) {
	if !strings.Contains(text, shardPlaceholder) {
		return p, false
	}
	placeholders := keysyntax.Placeholders(text)
	i := slices.IndexFunc(placeholders, func(p keysyntax.Placeholder) bool { return p.Name == shardPlaceholder })
	if i < 0 {
		return p, false
	}
	return placeholders[i], true
}
