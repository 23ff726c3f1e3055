package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
)

// RollUp stores the total of a counter in its total item, for [Counters.Cached]. It returns what is
// stored. The time is the one before the shards are read. A roll-up never replaces a newer one: if
// there is one, RollUp returns that one.
//
// Newer is by the clocks of the programs. If the clock of one of them is ahead by some time, its
// roll-up stays for that time, and [Counters.Cached] and the RollUp of others return it. So the
// clocks should differ by less than the interval of the roll-ups. Total and Drain do not depend on
// clocks.
//
// It costs as much as [Counters.Total], and 1 write unit. Any number of programs can roll up at any
// time, and a repetition is harmless. The shards keep their values: see [Counters.Drain].
func (c *Counters) RollUp(ctx context.Context, name string) (RolledUp, error) {
	_, stored, err := c.rollUp(ctx, name)
	return stored, err
}

// rollUp returns the total, and the roll-up that is stored, which can be a newer one.
func (c *Counters) rollUp(ctx context.Context, name string) (total int64, stored RolledUp, err error) {
	if err := c.ready(opRollUp, name); err != nil {
		return 0, RolledUp{}, err
	}
	r := RolledUp{AsOf: c.exec.Now().UTC()}
	totals, err := c.totals(ctx, opRollUp, []string{name})
	if err != nil {
		return 0, RolledUp{}, err
	}
	r.Value = totals[name]
	stored, err = c.storeRollUp(ctx, c.own(name), r)
	return r.Value, stored, err
}

// storeRollUp stores a roll-up, unless a newer one is stored, and returns the one that is stored.
func (c *Counters) storeRollUp(ctx context.Context, of counter, r RolledUp) (RolledUp, error) {
	key, err := c.layout.totalKey(of)
	if err != nil {
		return RolledUp{}, c.failed(opRollUp, err)
	}
	b := libitem.NewUpdate(key)
	b.Set(c.layout.total, libitem.Number(r.Value))
	b.SetLater(attrAsOf, libitem.Number(r.AsOf.UnixNano()))
	if c.layout.updated != "" {
		b.SetLater(c.layout.updated, updatedText(r.AsOf))
	}
	c.setOwn(b)
	act := b.Action()
	act.Idempotent = true
	_, err = c.do(ctx, opRollUp, []op.Action{act})
	if unmet, newer := unmetConditions(err, 1); newer {
		stored, err := c.layout.rolledUp(unmet[0].item)
		return stored, c.failed(opRollUp, err)
	}
	if err != nil {
		return RolledUp{}, err
	}
	return r, nil
}
