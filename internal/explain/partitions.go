package explain

import (
	"strconv"

	"github.com/trestledb/trestle/internal/read"
)

// partitionsText describes the partitions of a query, or is empty for a single one.
func partitionsText(p *read.Plan, b Bounds) string {
	periods := p.Streams() / p.Shards
	text := ""
	if p.Shards > 1 {
		text = strconv.Itoa(p.Shards) + " shards, merged by sort key"
	}
	if periods == 1 {
		return text
	}
	order := "one after the other"
	if b.AtOnce > 1 {
		order = strconv.Itoa(b.AtOnce) + " read at the same time"
	}
	if text == "" {
		return strconv.Itoa(periods) + " periods, " + order
	}
	return strconv.Itoa(periods) + " periods, " + order + ", each of " + text
}
