package shard

import (
	"cmp"
	"context"
	"slices"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Standing is a counter and its value.
type Standing struct {
	Name  string
	Value int64
}

// Top returns the n counters of the family with the highest totals, the highest first, and counters
// with equal totals in the order of their names. It needs Listed or Names of the [Config]. For the
// top of each poll, make each poll a family of its own.
//
// It costs as much as [Counters.Names] and [Counters.Totals] of all counters of the family.
func (c *Counters) Top(ctx context.Context, n int) ([]Standing, error) {
	names, err := c.topNames(ctx, n)
	if err != nil {
		return nil, err
	}
	var all []Standing
	for chunk := range slices.Chunk(names, topChunk) {
		totals, err := c.totals(ctx, opTop, chunk)
		if err != nil {
			return nil, err
		}
		for _, name := range chunk {
			all = append(all, Standing{name, totals[name]})
		}
	}
	return highest(all, n), nil
}

// topChunk is the number of counters that are read together.
const topChunk = 100

// TopCached is [Counters.Top] of the values of the last roll-ups. It ignores counters without a
// roll-up.
//
// It costs as much as [Counters.Names], and half a read unit for each counter.
func (c *Counters) TopCached(ctx context.Context, n int) ([]Standing, error) {
	names, err := c.topNames(ctx, n)
	if err != nil {
		return nil, err
	}
	items := make([]op.Item, len(names))
	targets := make([]target, len(names))
	for i, name := range names {
		key, err := c.layout.totalKey(c.own(name))
		if err != nil {
			return nil, c.failed(opTop, err)
		}
		targets[i] = target{key, &items[i]}
	}
	if err := c.batchGet(ctx, opTop, targets, false); err != nil {
		return nil, err
	}
	var all []Standing
	for i, item := range items {
		r, err := c.layout.rolledUp(item)
		switch {
		case err == nil:
			all = append(all, Standing{names[i], r.Value})
		case !isNoRollUp(err):
			return nil, c.failed(opTop, err)
		}
	}
	return highest(all, n), nil
}

// topNames returns all names.
func (c *Counters) topNames(ctx context.Context, n int) ([]string, error) {
	if err := c.ready(opTop); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, c.failed(opTop, errs.New("n", "the number of counters is not positive", "use at least 1"))
	}
	return c.allNames(ctx, opTop)
}

// highest returns the n highest standings.
func highest(all []Standing, n int) []Standing {
	slices.SortFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(n, len(all))]
}
