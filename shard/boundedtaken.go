package shard

import (
	"context"

	"github.com/trestledb/trestle/internal/libitem"
)

// Taken returns what [Bounded.Take] took with a key: 0 if it took nothing, if that was returned, or
// if the marker of the key was deleted because it had expired. The read is strongly consistent.
//
// It costs a read unit. A Take whose outcome is unknown can be applied after that: repeat it
// instead.
func (b *Bounded) Taken(ctx context.Context, name, key string) (int64, error) {
	if err := b.ready(opTaken, name); err != nil {
		return 0, err
	}
	if err := libitem.CheckText("the key of the take", key); err != nil {
		return 0, b.base.failed(opTaken, err)
	}
	stored, err := b.marker(ctx, opTaken, name, key)
	if err != nil || stored == nil {
		return 0, err
	}
	m, err := markerOf(stored)
	if err != nil || m.returned {
		return 0, b.base.failed(opTaken, err)
	}
	return m.n, nil
}
