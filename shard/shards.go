package shard

import "context"

// ShardInfo has the numbers of shards of a counter.
type ShardInfo struct {
	Shards int // increments use the first ones
	Max    int // readers read all of them: more than Shards while the counter shrinks
}

// Shards returns the numbers of shards of a counter, those that are stored, or those that a new
// counter would have. It costs one read unit.
func (c *Counters) Shards(ctx context.Context, name string) (ShardInfo, error) {
	if err := c.ready(opShards, name); err != nil {
		return ShardInfo{}, err
	}
	s, err := c.readState(ctx, opShards, c.own(name), true)
	return ShardInfo{Shards: s.shards, Max: s.max}, err
}
