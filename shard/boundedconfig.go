package shard

import (
	"cmp"
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
)

// BoundedConfig has the settings of [Bounded]. The zero value is a family of counters of one shard.
// Programs that use the counters of a family may have different settings.
type BoundedConfig struct {
	// Shards is the number of shards of a new counter, from 1 to 99. 0 means 1. The first SetLimit
	// determines it; it does not change later. [For] computes it: a take costs 2 write units of its
	// shard, so For(2*rate, 100) shards sustain a rate.
	Shards int
	// Lease is how long a shard keeps its quota after the last take from it. Afterwards, the quota
	// returns to the pool when the pool is empty. 0 means 30 seconds. The clock is that of the
	// schema. Clocks that differ make it earlier or later, with no effect on the limit.
	Lease time.Duration
	// Grant is the quota that a shard leases at a time. 0 means the limit / (4 * shards), at least
	// 1. With a larger Grant, fewer takes write the pool. With a smaller one, fewer of the last
	// takes look for quota in other shards.
	Grant int64
	// MarkerLife lets the markers of keys expire after this time, by the TTL attribute of the
	// schema. Until DynamoDB deletes an expired marker, which takes up to some days, its key is
	// still known: it does not take again, and what it took can be returned. After that, a take
	// that is repeated takes again, and can no longer be returned. 0 means that they never expire.
	MarkerLife time.Duration
	// MultiRegion declares that the table is a global table. It is refused.
	MultiRegion bool
}

const (
	maxBoundedShards = maxTogether // a transaction changes all shards and the pool
	defaultLease     = 30 * time.Second
	grantsPerShard   = 4
)

// withDefaults returns the configuration without zero values that mean another value. The default
// of Grant depends on the limit.
func (c BoundedConfig) withDefaults() BoundedConfig {
	c.Shards = cmp.Or(c.Shards, 1)
	c.Lease = cmp.Or(c.Lease, defaultLease)
	return c
}

// grant returns the quota that a shard leases if it needs n.
func (c *BoundedConfig) grant(p pool, n int64) int64 {
	g := cmp.Or(c.Grant, p.limit/(grantsPerShard*int64(p.shards)))
	return min(max(g, n), p.free)
}

// check adds the mistakes of a configuration.
func (c *BoundedConfig) check(wrong *errs.Problems, s *core.Schema) {
	if c.Shards < 1 || c.Shards > maxBoundedShards {
		wrong.Add("Shards", "the number of shards is not between 1 and 99", "divide the limit among several counters")
	}
	if c.Lease < 0 {
		wrong.Add("Lease", "the time is negative", "leave it 0 for the default")
	}
	if c.Grant < 0 {
		wrong.Add("Grant", "the quota is negative", "leave it 0 for the default")
	}
	if c.MultiRegion {
		wrong.Add("MultiRegion", "a limit needs transactions, which a global table does not have across Regions",
			"if only one Region writes, and the table is eventually consistent, leave MultiRegion out; otherwise, use a table of one Region")
	}
	for _, name := range boundedAttributes {
		if libitem.Taken(s, name) {
			wrong.Add(name, "the table uses an attribute of counters for a key or the time to live", "use another table")
		}
	}
}
