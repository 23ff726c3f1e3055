package shard

import (
	"cmp"
	"context"
	"slices"
)

// search looks for quota that the shard of a key lacks.
type search struct {
	*Bounded
	operation, name string
	n               int64
	shard           int // that lacks it
}

// found is where quota is: in the pool, or in pieces. Others can take it meanwhile.
type found struct {
	lease  int64    // the quota that the shard leases from the pool; 0: see pieces
	pieces []change // take n from the pool and shards together, the pool first, the largest piece last
}

// run reads the pool. If it has too little, run reads all shards, and returns the quota of those
// whose lease has expired to the pool. The error is errSoldOut if fewer than n are left.
func (s *search) run(ctx context.Context) (found, error) {
	p, err := s.readPool(ctx, s.operation, s.name)
	switch {
	case err != nil:
		return found{}, err
	case p.free >= s.n:
		return found{lease: s.config.grant(p, s.n)}, nil
	}
	for try := 1; ; try++ {
		v, err := s.settled(ctx, s.operation, s.name, func(v *view) bool { return v.free() >= s.n })
		switch {
		case err != nil:
			return found{}, err
		case v.pool.free >= s.n:
			return found{lease: s.config.grant(v.pool, s.n)}, nil
		case v.free() < s.n:
			return found{}, s.base.failed(s.operation, errSoldOut)
		}
		pieces := s.pieces(v)
		moves := s.expired(v)
		if moves == nil && len(pieces) > maxTogether { // with the marker, they are too many
			moves = []change{pieces[0], {of: s.shard, free: pieces[0].least}}
		}
		if moves == nil {
			return found{pieces: pieces}, nil
		}
		if err := s.move(ctx, s.operation, s.name, moves); err != nil {
			if try == maxTries || !contended(err) {
				return found{}, err
			}
			if err := s.base.pause(ctx, s.operation, try); err != nil {
				return found{}, err
			}
		}
	}
}

// expired returns the changes that return the quota of shards whose lease has expired to the pool;
// nil if there are none.
func (s *search) expired(v *view) (list []change) {
	now := s.base.exec.Now()
	to := change{of: poolPart}
	for i, q := range v.shards {
		if q.free > 0 && q.expired(now) {
			c := moveOut(i, q.free)
			c.expired = now
			to.free += q.free
			list = append(list, c)
		}
	}
	if list != nil {
		list = append(list, to)
	}
	return list
}

// move sends changes that take nothing.
func (b *Bounded) move(ctx context.Context, operation, name string, changes []change) error {
	actions, err := b.actions(name, changes)
	if err != nil {
		return b.base.failed(operation, err)
	}
	_, err = b.base.do(ctx, operation, actions)
	return err
}

// pieces returns the changes that take n from the shards, and the rest from the pool. There are as
// few as possible: if a shard has n, it is the only one. Of several such shards, it is the first
// one after the shard of the key.
func (s *search) pieces(v *view) []change {
	list, rest := v.shardPieces(s.shard, s.n)
	if rest > 0 {
		list = append(list, moveOut(poolPart, rest))
	}
	slices.Reverse(list)
	return list
}

// shardPieces returns the changes that take n from the shards, the largest piece first, and how
// much the shards lack.
func (v *view) shardPieces(first int, n int64) (list []change, rest int64) {
	var all []change
	for i := range v.shards {
		i = (first + i) % len(v.shards)
		if free := v.shards[i].free; free > 0 {
			all = append(all, moveOut(i, min(free, n)))
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(b.least, a.least) })
	for _, c := range all {
		if piece := min(c.least, n); piece > 0 {
			list = append(list, moveOut(c.of, piece))
			n -= piece
		}
	}
	return list, n
}
