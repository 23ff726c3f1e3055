package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/cursor"
)

// anyOrder reads all streams at the same time, and passes pages as they arrive. It has the position
// of each stream that has not ended.
type anyOrder struct{ single }

func (r anyOrder) next(ctx context.Context) bool {
	r.requestAll(ctx)
	s := r.arrival()
	return s != nil && r.take(append(r.page.group[:0], s))
}

// requestAll requests a page of each stream without a running request, until a budget is used up.
// Of a query, these are streams of the groups that are read at the same time.
func (r anyOrder) requestAll(ctx context.Context) {
	for _, s := range r.streams {
		if s.running == nil && !r.spent() && (r.plan.Scans() || r.isNear(s) && r.running() < maxRunning) {
			r.request(ctx, s)
		}
	}
}

func (r anyOrder) end(ctx context.Context) {
	if r.settlePage(); r.goesOn() {
		r.requestAll(ctx)
	}
}

func (r anyOrder) positions() []cursor.Position {
	positions := make([]cursor.Position, 0, len(r.streams))
	for _, s := range r.streams {
		positions = append(positions, s.at())
	}
	return positions
}
