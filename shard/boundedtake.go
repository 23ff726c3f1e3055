package shard

import (
	"context"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Take takes n from a counter, at least 1. Once is required: with the same key and the same n, Take
// takes once, as long as the marker of the key exists. Create the key before the first call, and
// store it with the request of the caller.
//
// It usually costs 4 write units: a transaction stores the marker, and takes from the shard of the
// key. If the shard has too little quota, that transaction fails and costs the same, and there is
// another one. It takes quota of the pool at the same time (1 read unit, 6 write units), once for
// each Grant of the [BoundedConfig]. If the pool has too little, all shards are read (1 read unit
// each): the quota of those whose lease has expired returns to the pool (2 write units for each of
// them and for the pool), or Take takes from those that have quota (2 write units for each of them
// and for the marker). That nothing is left costs 2 reads of the pool and all shards, and one of
// the pool and of the marker. The first Take of a name by this Bounded also reads the pool (1 read
// unit), and the marker if there is no limit (1 read unit).
//
// Errors: [ErrSoldOut] if fewer than n are left in the pool and all shards together.
// [trestle.ErrExists] if the key took another number, or if what it took was returned. Nothing was
// taken then. [trestle.ErrNotFound] if the counter has no limit. [trestle.ErrUnknown] if a reply is
// lost, and the marker does not exist, or if the marker cannot be read: repeat the call with the
// same key until it is certain. The outcome [trestle.NotApplied] means that no call with the key
// has taken. A repetition that fails does not recall the earlier request, which can still be
// applied if it arrives late. [trestle.ErrStale] if others change the counter again and again.
func (b *Bounded) Take(ctx context.Context, name string, n int64, once AddOption) error {
	if err := b.ready(opTake, name); err != nil {
		return err
	}
	t := &taking{Bounded: b, name: name, n: n, once: once}
	if err := t.check(); err != nil {
		return b.base.failed(opTake, err)
	}
	shards, err := b.open(ctx, opTake, name)
	if err != nil {
		return t.notTaken(ctx, withOutcome(err, trestle.NotApplied))
	}
	t.shard = once.shard(shards)
	return t.run(ctx)
}

// taking is a running Take.
type taking struct {
	*Bounded
	name  string
	n     int64
	once  AddOption
	shard int // of the key

	lost   bool // a request may still arrive
	denied bool // there was no marker, so no call with the key was applied
}

// check reports the mistakes of the arguments.
func (t *taking) check() error {
	var wrong errs.Problems
	if t.n < 1 {
		wrong.Add("n", "the number is not positive", "take at least 1; Return gives it back")
	}
	_, err := oneOption([]AddOption{t.once})
	wrong.AddErr("", err)
	if err == nil {
		_, err = t.base.layout.takenKey(t.name, t.once.key)
		wrong.AddErr("", err)
	}
	return wrong.Err()
}

// run takes from the shard of the key. If the shard has too little quota, run looks for it
// elsewhere. If others take it first, run begins again.
func (t *taking) run(ctx context.Context) error {
	for try := 1; try <= maxTries; try++ {
		done, err := t.send(ctx, t.shard, []change{t.takeFrom(t.shard, t.n)})
		if done {
			return err
		}
		shard, changes, err := t.find(ctx)
		if err != nil {
			return t.notTaken(ctx, withOutcome(err, trestle.NotApplied))
		}
		if done, err = t.send(ctx, shard, changes); done {
			return err
		}
		if err := t.base.pause(ctx, opTake, try); err != nil {
			return t.notTaken(ctx, err)
		}
	}
	return t.notTaken(ctx, t.base.failed(opTake, errContended))
}

// find returns the changes that take quota from where it is, and the shard of which it is taken
// then.
func (t *taking) find(ctx context.Context) (shard int, changes []change, err error) {
	s := &search{Bounded: t.Bounded, operation: opTake, name: t.name, n: t.n, shard: t.shard}
	found, err := s.run(ctx)
	if err != nil {
		return 0, nil, err
	}
	if found.lease > 0 {
		to := change{of: t.shard, free: found.lease - t.n, taken: t.n, lacks: t.n, until: t.leaseEnd()}
		return t.shard, []change{moveOut(poolPart, found.lease), to}, nil
	}
	last := len(found.pieces) - 1 // a shard, because the pool is never the only one
	to := found.pieces[last]
	to.taken, to.until = t.n, t.leaseEnd()
	return to.of, append(found.pieces[:last:last], to), nil
}

// send sends changes with the marker, in one transaction. It returns false if there is too little
// quota.
func (t *taking) send(ctx context.Context, shard int, changes []change) (done bool, err error) {
	actions, err := t.marked(shard, changes)
	if err != nil {
		return true, t.base.failed(opTake, err)
	}
	if _, err = t.base.do(ctx, opTake, actions); err == nil {
		return true, nil
	}
	t.lost = t.lost || trestle.OutcomeOf(err) == trestle.Unknown
	unmet, canceled := unmetConditions(err, len(actions))
	switch {
	case unmet[0].failed:
		return true, t.compare(err, unmet[0].item)
	case canceled:
		t.denied = true
		return false, nil
	default:
		return true, t.notTaken(ctx, err)
	}
}

// marked returns the marker of the key, and the updates of changes.
func (t *taking) marked(shard int, changes []change) ([]op.Action, error) {
	mark, err := t.mark(t.name, t.once.key, t.n, shard)
	if err != nil {
		return nil, err
	}
	list, err := t.actions(t.name, changes)
	return append([]op.Action{mark}, list...), err
}

// compare returns nil if the stored marker is that of this take: it was applied. Otherwise, this
// take is certainly not applied.
func (t *taking) compare(err error, stored op.Item) error {
	m, unreadable := markerOf(stored)
	switch {
	case unreadable != nil:
		return withOutcome(t.base.failed(opTake, unreadable), trestle.OutcomeOf(err))
	case m.n != t.n:
		return t.base.failed(opTake, errKeyTook)
	case m.returned:
		return t.base.failed(opTake, errKeyReturned)
	default:
		return nil
	}
}

// notTaken returns err, with which the take ends, unless the marker shows that an earlier request,
// or another call with the key, took it. If there is no marker, an earlier request without a reply
// can still arrive.
func (t *taking) notTaken(ctx context.Context, err error) error {
	stored, failure := t.marker(ctx, opTake, t.name, t.once.key)
	switch {
	case failure == nil && stored != nil:
		return t.compare(err, stored)
	case t.lost:
		return withOutcome(err, trestle.Unknown)
	case failure != nil && !t.denied:
		return unlessApplied(err)
	default:
		return err
	}
}

var (
	errKeyTook     = refusal(errs.Exists, "the key took another number", "use a key for one take only")
	errKeyReturned = refusal(errs.Exists, "what the key took was returned", "use another key to take again")
	errSoldOut     = &errs.ValidationError{Kind: errs.Condition, Problems: []errs.Problem{{
		Reason: ErrSoldOut.Error(), Hint: "take fewer, raise the limit with SetLimit, or wait for a Return", Cause: ErrSoldOut,
	}}}
)
