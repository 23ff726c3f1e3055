package shard

import "context"

// list puts the name of a counter into the list of names, before its first increment.
func (c *Counters) list(context.Context, counter) error { return nil }
