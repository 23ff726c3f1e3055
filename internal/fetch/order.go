package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/read"
)

// Order is the order in which a run returns the items of its streams.
type Order uint8

const (
	// InTurn reads one stream after the other.
	InTurn Order = iota
	// AnyOrder reads all streams at the same time, and returns pages as they arrive.
	AnyOrder
	// Merged returns the items of all streams in the order of their sort keys.
	Merged
)

// order is how a run reads its streams.
type order interface {
	// next reads what the next page of the run needs, and sets the page. It returns false after an
	// error, and if a budget is used up.
	next(ctx context.Context) bool
	// end moves the positions after the last row of the page that was passed, and requests what the
	// run needs next.
	end(ctx context.Context)
	// limit returns the maximum number of items of the next request of a stream; 0: unbounded.
	limit(s *stream) int
	// positions returns where another run can continue.
	positions() []cursor.Position
}

// Valid reports whether a run of the plan in an order can begin at the positions of a cursor.
// Callers can forge positions in plain cursors.
func Valid(p *read.Plan, o Order, from []cursor.Position) bool {
	_, sorted := p.SortAttribute()
	switch {
	case len(from) == 0:
		return false
	case p.Scans():
		return validEach(p, from)
	case p.Shards > 1 && sorted && o == Merged:
		return validMerged(p, from)
	case p.Shards == 1 && from[0].Merged: // the caller may change how many periods are read at the same time
		return validMerged(p, from)
	default:
		return len(from) == 1 && validEach(p, from)
	}
}

// validEach reports whether each position is one of a stream of its own.
func validEach(p *read.Plan, from []cursor.Position) bool {
	seen := map[int]bool{}
	for _, at := range from {
		if at.Merged || seen[at.Stream] || at.Stream >= p.Streams() || at.After != nil && !p.Allows(p.Partition(at.Stream), at.After) {
			return false
		}
		seen[at.Stream] = true
	}
	return true
}
