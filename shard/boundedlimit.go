package shard

import (
	"context"
	"errors"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// SetLimit sets the limit of a counter, at least 0, and creates the counter if there is none. Takes
// and returns continue meanwhile. A limit that is lower than what was taken is
// [trestle.ErrCondition]: nothing changed.
//
// It costs a read unit and 1 write unit. If the pool has too little quota for a lower limit, it
// costs a read unit for each shard, twice if the limit is too low, and 2 write units for the pool
// and for each shard whose quota is needed.
//
// [trestle.ErrUnknown] if a reply is lost: repeat the call. A request that arrives after a later
// SetLimit has ended changes nothing. [trestle.ErrStale] if others change the counter again and
// again.
func (b *Bounded) SetLimit(ctx context.Context, name string, limit int64) error {
	if err := b.ready(opSetLimit, name); err != nil {
		return err
	}
	if limit < 0 {
		return b.base.failed(opSetLimit, errs.New("limit", "the limit is negative", "use at least 0"))
	}
	return (&limiting{Bounded: b, name: name, limit: limit}).run(ctx)
}

// limiting is a running SetLimit.
type limiting struct {
	*Bounded
	name    string
	limit   int64
	version int64 // of the pool that the last request changed
}

// run sends the change until it is applied, or certainly not.
func (l *limiting) run(ctx context.Context) error {
	lost := false // a request may still arrive
	for try := 1; ; try++ {
		err := l.try(ctx)
		if err == nil {
			return nil
		}
		if trestle.OutcomeOf(err) == trestle.Unknown {
			lost = true
			switch applied, later := l.decide(ctx); {
			case applied:
				return nil
			case later:
				return err
			}
		}
		if try < maxTries && contended(err) {
			failure := l.base.pause(ctx, opSetLimit, try)
			if failure == nil {
				continue
			}
			err = failure
		}
		if lost {
			return withOutcome(err, trestle.Unknown)
		}
		return err
	}
}

// decide reads the pool after a request without a reply. applied: it has this limit, with the next
// version. later: another limit was set since, so it cannot be known.
func (l *limiting) decide(ctx context.Context) (applied, later bool) {
	p, err := l.readPool(ctx, opSetLimit, l.name)
	if err != nil {
		return false, false
	}
	return p.version == l.version+1 && p.limit == l.limit, p.version > l.version
}

// try reads the pool and sends the change.
func (l *limiting) try(ctx context.Context) error {
	p, err := l.readPool(ctx, opSetLimit, l.name)
	switch {
	case errors.Is(err, errs.NotFound):
		l.version = 0
		return l.create(ctx)
	case err != nil:
		return withOutcome(err, trestle.NotApplied)
	}
	var pieces []change
	if lacks := p.limit - l.limit; lacks > p.free {
		if p, pieces, err = l.reclaim(ctx); err != nil {
			return withOutcome(err, trestle.NotApplied)
		}
	}
	l.version = p.version
	return l.change(ctx, p, pieces)
}

// create stores the pool.
func (l *limiting) create(ctx context.Context) error {
	key, err := l.base.layout.limitKey(l.name, poolPart)
	if err != nil {
		return l.base.failed(opSetLimit, err)
	}
	put := l.base.putNew(key, reserved.LimitType, op.Item{
		attrLimit: libitem.Number(l.limit), attrFree: libitem.Number(l.limit), attrShards: libitem.Number(int64(l.config.Shards)),
		attrVersion: libitem.Number(1), attrChanges: libitem.Number(1),
	})
	_, err = l.base.do(ctx, opSetLimit, []op.Action{put})
	return err
}

// reclaim returns the pool, and the changes that take what the pool lacks from the shards.
func (l *limiting) reclaim(ctx context.Context) (pool, []change, error) {
	v, err := l.settled(ctx, opSetLimit, l.name, func(v *view) bool { return v.free() >= v.pool.limit-l.limit })
	if err != nil {
		return pool{}, nil, err
	}
	pieces, rest := v.shardPieces(0, v.pool.limit-l.limit-v.pool.free)
	if rest > 0 {
		return pool{}, nil, l.base.failed(opSetLimit, errLimitTaken)
	}
	return v.pool, pieces, nil
}

var errLimitTaken = refusal(errs.Condition, "more was taken than the new limit", "use a higher limit, or wait for a Return")

// change changes the limit, if no other SetLimit did so since the pool was read.
func (l *limiting) change(ctx context.Context, p pool, pieces []change) error {
	more := l.limit - p.limit
	for _, c := range pieces {
		more += c.least
	}
	u, err := l.update(l.name, change{of: poolPart, free: more, least: -more})
	if err != nil {
		return l.base.failed(opSetLimit, err)
	}
	u.Set(attrLimit, libitem.Number(l.limit))
	u.Add(attrVersion, libitem.Number(1))
	u.RequireEqual(attrVersion, p.version)
	actions, err := l.actions(l.name, pieces)
	if err != nil {
		return l.base.failed(opSetLimit, err)
	}
	_, err = l.base.do(ctx, opSetLimit, append(actions, u.Action()))
	return err
}
