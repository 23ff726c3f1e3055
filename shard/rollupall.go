package shard

import "context"

// RollUpAll rolls up all counters of the family, one after the other: see [Counters.RollUp]. It
// needs Listed or Names of the [Config]. If a roll-up fails, RollUpAll continues with the others,
// and returns the first error.
//
// It costs as much as [Counters.Names], and one RollUp of each counter.
func (c *Counters) RollUpAll(ctx context.Context) error {
	names, err := c.allNames(ctx, opRollUp)
	if err != nil {
		return err
	}
	var first error
	for _, name := range names {
		if _, err := c.RollUp(ctx, name); err != nil && first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return first
}
