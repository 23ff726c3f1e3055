package shard

import (
	"context"
	"github.com/trestledb/trestle/internal/libitem"
)

// Remaining is what is left of a counter with a limit.
type Remaining struct {
	Limit int64
	Taken int64 // and not returned
	Left  int64 // Limit - Taken
}

// Left returns the limit, what was taken, and what is left. It reads the pool and all shards,
// strongly consistent. While others take and return, Taken contains all that was taken before the
// call and nothing that was taken after it; of what is taken or returned during the call, it
// contains some.
//
// It costs a read unit for the pool and for each shard. The first call for a name by this Bounded
// costs another one. Errors: [trestle.ErrNotFound] if the counter has no limit.
func (b *Bounded) Left(ctx context.Context, name string) (Remaining, error) {
	if err := b.ready(opLeft, name); err != nil {
		return Remaining{}, err
	}
	// If the limit was raised after the pool was read, more can be taken than the limit.
	v, err := b.settled(ctx, opLeft, name, func(v *view) bool { return v.taken() <= v.pool.limit })
	if err != nil {
		return Remaining{}, err
	}
	r := Remaining{Limit: v.pool.limit, Taken: v.taken(), Left: v.pool.limit - v.taken()}
	if r.Left < 0 {
		return Remaining{}, b.base.failed(opLeft, libitem.Unreadable(attrTaken, "more was taken than the limit"))
	}
	return r, nil
}
