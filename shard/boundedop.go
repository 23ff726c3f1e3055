package shard

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// Op returns a take as an operation, for a transaction: [tx.Write] applies it together with other
// operations, or not at all. A transaction has at most one take or return of each counter.
// [Bounded.Return] gives back what it took.
//
// The transaction takes from the shard of the key. Before it is sent, that shard is read (1 read
// unit). If it has too little quota, quota is moved to it: from the pool (1 read unit, 4 write
// units), or from other shards, as [Bounded.Take] finds it. This is a transaction of its own, and
// what it moved stays in the shard, for others too. The operation itself costs 4 write units.
//
// If others take the quota of the shard between the two transactions, the marker of the key is read
// (1 read unit), quota is moved to the shard again, and the whole transaction is sent again. It is
// sent at most eight times. A transaction that fails costs as much as one that is applied.
//
// Errors: [ErrSoldOut] if fewer than n are left anywhere, and [trestle.ErrCondition] after eight
// times: nothing was taken. [trestle.ErrNotFound] without a limit. [trestle.ErrExists] if the key
// took before, also if that was returned. If it is not certain whether an earlier transaction was
// applied, this tells it.
func (b *Bounded) Op(name string, n int64, once AddOption) entity.Operation {
	err := b.ready(opTake, name)
	if err != nil {
		return libitem.InvalidOperation(err)
	}
	t := &taking{Bounded: b, name: name, n: n, once: once}
	if err := t.check(); err != nil {
		return libitem.InvalidOperation(err)
	}
	subject, _ := b.base.layout.limitKey(name, poolPart) // ready and check have checked it
	return libitem.Operation(b.base.exec, b.base.plan, repo.Addition{Plan: t.plan, Prepare: t.prepare, Subject: subject})
}

// plan plans the take. If it is sent, it is planned after prepare has read the number of shards.
func (t *taking) plan(sends bool) (op.Operation, error) {
	o := op.Operation{Name: opTake, Plan: t.base.plan}
	if !sends {
		var err error
		o.Actions, err = t.planFrom(nil)
		return o, err
	}
	o.PreRead = &op.PreRead{Slots: 1, Plan: t.planFrom, Again: t.again}
	return o, nil
}

// planFrom returns the marker and the take from the shard of the key. The marker is the first one,
// so that its failure is the error of the operation if both fail.
func (t *taking) planFrom([]op.Item) ([]op.Action, error) {
	shard := t.once.shard(max(t.base.cache.known(t.base.own(t.name)).shards, 1))
	list, err := t.marked(shard, []change{t.takeFrom(shard, t.n)})
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Plan = t.base.plan
	}
	take := &list[1]
	for i := range take.Clauses { // it is planned again if others took the quota
		take.Clauses[i].Rank, take.Clauses[i].Then = clause.Read, clause.Replan
	}
	take.Clauses = append(take.Clauses, clause.Clause{Pred: clause.AnItem{Key: &t.base.schema.Partition}, Fails: errs.Condition, Implied: true})
	return list, nil
}

// again moves quota to the shard of the key once more, after others took it. The shard that had too
// little is stored.
func (t *taking) again(ctx context.Context, stored []op.Item) error {
	if stored[0] == nil {
		return nil
	}
	mark, err := t.marker(ctx, opTake, t.name, t.once.key)
	switch {
	case err != nil:
		return unwrapped(err)
	case mark != nil:
		return errTookBefore
	default:
		return unwrapped(t.provide(ctx))
	}
}

var errTookBefore = refusal(errs.Exists, "the key took before", "use a key for one take only")

// prepare moves quota to the shard of the key, if it has too little.
func (t *taking) prepare(ctx context.Context) error {
	err := t.provide(ctx)
	if errors.Is(err, errs.Condition) {
		switch stored, failure := t.marker(ctx, opTake, t.name, t.once.key); {
		case failure != nil:
			return unlessApplied(withOutcome(failure, trestle.NotApplied))
		case stored != nil:
			return nil // the transaction fails because of the marker
		}
	}
	return withOutcome(err, trestle.NotApplied)
}

func (t *taking) provide(ctx context.Context) error {
	shards, err := t.open(ctx, opTake, t.name)
	if err != nil {
		return err
	}
	t = &taking{Bounded: t.Bounded, name: t.name, n: t.n, once: t.once, shard: t.once.shard(shards)}
	for try := 1; ; try++ {
		enough, err := t.hasEnough(ctx)
		if err != nil || enough {
			return err
		}
		s := &search{Bounded: t.Bounded, operation: opTake, name: t.name, n: t.n, shard: t.shard}
		found, err := s.run(ctx)
		if err != nil {
			return err
		}
		err = t.move(ctx, opTake, t.name, t.filling(found))
		if err == nil || try == maxTries || !contended(err) {
			return err
		}
		if err := t.base.pause(ctx, opTake, try); err != nil {
			return err
		}
	}
}

// hasEnough reports whether the shard of the key has enough quota.
func (t *taking) hasEnough(ctx context.Context) (bool, error) {
	key, err := t.base.layout.limitKey(t.name, t.shard)
	if err != nil {
		return false, t.base.failed(opTake, err)
	}
	item, err := t.base.get(ctx, opTake, key, true)
	if err != nil {
		return false, err
	}
	q, err := quotaOf(item)
	return q.free >= t.n, t.base.failed(opTake, err)
}

// filling returns the changes that move quota to the shard of the key.
func (t *taking) filling(f found) (list []change) {
	to := change{of: t.shard, lacks: t.n, until: t.leaseEnd()}
	if f.lease > 0 {
		f.pieces = []change{moveOut(poolPart, f.lease)}
	}
	for _, c := range f.pieces {
		if c.of != t.shard {
			to.free += c.least
			list = append(list, c)
		}
	}
	return append(list, to)
}
