package shard

import (
	"time"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// change is a change of the pool or of a shard. The changes of one transaction keep the sum of all
// quota, and no condition of theirs depends on a clock, except that of a lease that has expired. So
// it is harmless if a transaction arrives late.
type change struct {
	of    int   // the number of a shard, or poolPart
	free  int64 // is added to the quota that can be taken
	taken int64 // is added to what was taken

	least   int64     // the item must have this quota; 0: no condition
	lacks   int64     // the shard must have less than this quota; 0: no condition
	expired time.Time // the lease must have expired before; zero: no condition
	until   time.Time // the lease expires then; zero: it does not change
}

// moveOut returns the change that takes quota from the pool or a shard, for another one.
func moveOut(of int, n int64) change { return change{of: of, free: -n, least: n} }

// takeFrom returns the change that takes from a shard, and renews its lease.
func (b *Bounded) takeFrom(shard int, n int64) change {
	return change{of: shard, free: -n, taken: n, least: n, until: b.leaseEnd()}
}

// leaseEnd returns when a lease expires that begins now.
func (b *Bounded) leaseEnd() time.Time { return b.base.exec.Now().Add(b.config.Lease) }

// actions returns the updates of changes.
func (b *Bounded) actions(name string, changes []change) ([]op.Action, error) {
	list := make([]op.Action, len(changes))
	for i, c := range changes {
		u, err := b.update(name, c)
		if err != nil {
			return nil, err
		}
		list[i] = u.Action()
		list[i].Label = "the quota of the counter"
	}
	return list, nil
}

// update returns the update of a change.
func (b *Bounded) update(name string, c change) (*libitem.Update, error) {
	key, err := b.base.layout.limitKey(name, c.of)
	u := libitem.NewUpdate(key)
	if c.free != 0 {
		u.Add(attrFree, libitem.Number(c.free))
	}
	if c.taken != 0 {
		u.Add(attrTaken, libitem.Number(c.taken))
	}
	u.Add(attrChanges, libitem.Number(1))
	if !c.until.IsZero() {
		u.Set(attrUntil, libitem.Number(c.until.UnixNano()))
	}
	u.SetOwn(b.base.schema, reserved.LimitType)
	c.require(u)
	return u, err
}

// require adds the conditions of a change.
func (c *change) require(u *libitem.Update) {
	if c.least > 0 {
		u.Require(clause.Attribute(attrFree, clause.Ge, libitem.Number(c.least)))
	}
	if c.lacks > 0 {
		u.Require(clause.Or{clause.Value(attrFree, nil), clause.Attribute(attrFree, clause.Lt, libitem.Number(c.lacks))})
	}
	if !c.expired.IsZero() {
		u.Require(clause.Attribute(attrUntil, clause.Lt, libitem.Number(c.expired.UnixNano())))
	}
}
