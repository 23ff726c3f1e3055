package schemadoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// shardsLabel describes the shards of a key attribute in a chart, after its template.
func shardsLabel(a *core.KeyAttr) string {
	if a.Shard == nil {
		return ""
	}
	text := ", " + countsText(a.Shard.Counts) + " shards"
	if a.Shard.Shards() == 1 {
		text = ", 1 shard"
	}
	if s := shardingOf(a); s != ShardOfFields {
		text += " " + string(s)
	}
	return text
}

// placesText describes where a get by key looks for an item, or is empty for one place. After the
// number of shards has changed, an item is where the number had put it when it was created.
func placesText(p *core.Plan) string {
	if !p.Moved() {
		return ""
	}
	counts := slices.Clone(p.Table.Sharded().Shard.Counts)
	slices.Sort(counts)
	return fmt.Sprintf("up to %d, one after the other", len(slices.Compact(counts)))
}

// partitionsText describes the partitions that a query reads, or is empty for a single one: the
// shards, and the periods of a time that the example does not set.
func partitionsText(k core.Key) string {
	var parts []string
	if period := periodOf(k); period != "" {
		parts = append(parts, "one per "+period)
	}
	if a := k.Sharded(); a != nil && a.Shard.Shards() > 1 {
		parts = append(parts, fmt.Sprintf("%d shards", a.Shard.Shards()))
	}
	return strings.Join(parts, ", each of ")
}

// periodOf returns the shortest period of a time in a partition key, or "".
func periodOf(k core.Key) string {
	formats := []string{"hour", "day", "month", "year"}
	shortest := len(formats)
	for _, a := range k.Partition {
		for i := range a.Members {
			if a.Template.IsPeriod(i) {
				name, _, _ := strings.Cut(a.Template.Format(i), ",")
				shortest = min(shortest, slices.Index(formats, name))
			}
		}
	}
	if shortest == len(formats) {
		return ""
	}
	return formats[shortest]
}
