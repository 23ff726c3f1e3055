package shard

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/repo"
)

// Op returns an increment as an operation, for a transaction: [tx.Write] applies it together with
// other operations, or not at all. A transaction has at most one increment of each counter.
//
// In mode ExactForever it needs [Once], and stores the marker in the same transaction. If the key
// was counted before, the operation fails with [trestle.ErrExists], and nothing of the transaction
// is applied.
//
// In the modes ExactWindow and Approximate it is a plain addition, which counts as often as the
// transaction is applied: [tx.WriteOnce] applies it once. Once then only determines the shard; give
// it if another process may repeat the transaction, because the repeated one must be the same. Sent
// alone, such as by [entity.WriteMany], the addition is not exact: a lost reply is
// [trestle.ErrUnknown].
//
// In each mode, the repeated transaction differs if the counter was resized since. [tx.WriteOnce]
// then fails with [trestle.ErrUnknown] if an earlier call was applied. In mode ExactForever, repeat
// it by [tx.Write]: [trestle.ErrExists] of this operation means that it was applied.
//
// It costs 2 write units, with a marker 4. As for [Counters.Add], the total item is read first
// (half a read unit), and stored if there is none (1 write unit). It does not put the name into the
// list of names (Listed): see [Counters.List]. It does not let the counter grow.
//
// In the modes Events and WriterOwned, the operation fails with [trestle.ErrInvalid].
func (c *Counters) Op(name string, n int64, options ...AddOption) entity.Operation {
	a, err := c.operation(name, n, options)
	if err != nil {
		return libitem.InvalidOperation(err)
	}
	subject, _ := c.layout.totalKey(a.of) // operation has checked it
	return libitem.Operation(c.exec, c.plan, repo.Addition{Plan: a.plan, Prepare: a.prepare, Subject: subject})
}

// operation returns an increment that is planned later. The shard depends on the key, so an
// increment without one gets a random one.
func (c *Counters) operation(name string, n int64, options []AddOption) (*addition, error) {
	if err := c.ready(opAdd, name); err != nil {
		return nil, err
	}
	o, err := oneOption(options)
	switch {
	case err != nil:
		return nil, err
	case c.config.Mode == Events:
		return nil, errs.New("", "an event is no operation of a transaction", "use mode ExactForever")
	case c.config.Mode != Approximate:
		err = o.check(c.config.Mode)
	}
	if err == nil && !o.option {
		o.key, err = c.exec.Random.Text()
	}
	a := &addition{Counters: c, of: c.own(name), n: n, option: o}
	if err == nil {
		err = a.keyFits()
	}
	return a, err
}

// prepare reads the number of shards if it is not known, and creates the counter if there is none.
func (a *addition) prepare(ctx context.Context) error {
	_, err := a.open(ctx, opAdd, a.of)
	return withOutcome(err, trestle.NotApplied)
}

// plan plans an increment. If it is sent, its shard depends on the number of shards after prepare.
func (a *addition) plan(sends bool) (op.Operation, error) {
	o := op.Operation{Name: opAdd, Plan: a.Counters.plan}
	if !sends {
		var err error
		o.Actions, err = a.planOpen(nil)
		return o, err
	}
	o.PreRead = &op.PreRead{Slots: 1, Plan: a.planOpen}
	return o, nil
}

// planOpen returns the actions of an increment. A stored item is the shard that turned out to be
// closed: the first shard, which never is, is used instead.
func (a *addition) planOpen(stored []op.Item) ([]op.Action, error) {
	if len(stored) > 0 && stored[0] != nil {
		a.cache.forget(a.of)
	}
	shard := a.option.shard(max(a.cache.known(a.of).shards, 1))
	act, err := a.increment(shard)
	act.Plan = a.Counters.plan
	for i := range act.Clauses {
		act.Clauses[i].Rank, act.Clauses[i].Then = clause.Read, clause.Replan
	}
	if err != nil || a.config.Mode != ExactForever {
		return []op.Action{act}, err
	}
	mark, err := a.mark(shard)
	mark.Plan = a.Counters.plan
	return []op.Action{act, mark}, err
}
