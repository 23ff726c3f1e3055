package shard

import "context"

// Total returns the current value of a counter; 0 if there is none. It reads the total item and all
// shards, strongly consistent, in batches of 100.
//
// The shards are not read at one moment. If increments are not negative, the result is at least the
// true value when Total is called, and at most the true value when it returns, also while others
// resize or drain the counter. With Regions, the shards of the other Regions may lag behind.
//
// It costs one read unit for the total item and one for each shard. A shard without a number is an
// error, never 0. Errors: [trestle.ErrStale] if others move values of the counter again and again.
func (c *Counters) Total(ctx context.Context, name string) (int64, error) {
	totals, err := c.totals(ctx, opTotal, []string{name})
	return totals[name], err
}

// Totals is [Counters.Total] for several counters, with shared batches. The result has each of the
// names.
func (c *Counters) Totals(ctx context.Context, names ...string) (map[string]int64, error) {
	return c.totals(ctx, opTotal, names)
}

func (c *Counters) totals(ctx context.Context, operation string, names []string) (map[string]int64, error) {
	if err := c.ready(operation, names...); err != nil {
		return nil, err
	}
	totals := make(map[string]int64, len(names))
	var list []*reading
	for _, name := range names {
		if _, twice := totals[name]; twice {
			continue
		}
		totals[name] = 0
		if c.config.Mode == Events {
			n, err := c.sumEvents(ctx, operation, c.all(name))
			if err != nil {
				return nil, err
			}
			totals[name] = n
			continue
		}
		for _, of := range c.all(name) {
			list = append(list, &reading{of: of})
		}
	}
	err := c.sumAll(ctx, operation, list, func(of counter, n int64) (err error) {
		totals[of.name], err = sum(totals[of.name], n)
		return err
	})
	if err != nil {
		return nil, err
	}
	return totals, nil
}

// sumAll reads counters, and calls take with the value of each. Those whose values were moved
// meanwhile are read again, in the end at one moment.
func (c *Counters) sumAll(ctx context.Context, operation string, list []*reading, take func(counter, int64) error) error {
	for try := 1; len(list) > 0; try++ {
		if err := c.readAll(ctx, operation, list); err != nil {
			return err
		}
		var again []*reading
		for _, r := range list {
			switch n, ok, err := c.sum(r); {
			case err != nil:
				return c.failed(operation, err)
			case !ok:
				again = append(again, r)
			default:
				if err := take(r.of, n); err != nil {
					return c.failed(operation, err)
				}
			}
		}
		if list = again; len(list) == 0 {
			return nil
		}
		if try == maxTries {
			return c.sumTogether(ctx, operation, list, take)
		}
		if err := c.pause(ctx, operation, try); err != nil {
			return err
		}
	}
	return nil
}

// sumTogether reads each counter at one moment, and calls take with its value.
func (c *Counters) sumTogether(ctx context.Context, operation string, list []*reading, take func(counter, int64) error) error {
	for _, r := range list {
		n, err := c.snapshot(ctx, operation, r)
		if err == nil {
			err = take(r.of, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pause waits before a request is repeated because others write the same items.
func (c *Counters) pause(ctx context.Context, operation string, tries int) error {
	return c.failed(operation, c.exec.Pause(ctx, tries))
}
