package fetch

import (
	"math"

	"github.com/trestledb/trestle/internal/read"
)

// Bounds limit the results and the cost of a read. Zero means unbounded.
type Bounds struct {
	Items    int     // maximum number of results
	PageSize int     // maximum number of items that one request reads, before filters
	Requests int     // a budget: the read ends when it is used up
	Units    float64 // a budget in read capacity units
	Ahead    bool    // read the next page while the caller processes a page
	AtOnce   int     // read this many groups of streams at the same time; 0 or 1: one
}

// limit returns the maximum number of items for the next request; 0 is unbounded. Without a filter
// it is the number of items still wanted, multiplied by 2 for each doubling, but at most PageSize.
func (b *Bounds) limit(p *read.Plan, left, doublings int) int {
	if left <= 0 || p.Filtered {
		return b.PageSize
	}
	left = min(left, math.MaxInt32) << doublings
	if b.PageSize == 0 || left < b.PageSize {
		return left
	}
	return b.PageSize
}

// budget is what a run may still read.
type budget struct {
	Bounds
	left    int // items still wanted; below 0: all
	sent    int // requests, including running ones
	batches int // the requests of batch reads among them
	reserve int // requests that are kept for the items of a page's entries
}

// allows reports whether the budget has a request, and one more for each to keep, after units are
// consumed.
func (b *budget) allows(keep int, units float64) bool {
	return (b.Requests == 0 || b.sent+keep < b.Requests) && (b.Units == 0 || units < b.Units)
}

// bounded returns n, or the number of items still wanted if that is less.
func (b *budget) bounded(n int) int {
	if b.left >= 0 {
		return min(n, b.left)
	}
	return n
}

// count counts n items, or as many as are still wanted, and returns their number.
func (b *budget) count(n int) int {
	n = b.bounded(n)
	if b.left > 0 {
		b.left -= n
	}
	return n
}

// spent reports whether a budget is used up: no request of a page may be sent.
func (r *Run) spent() bool { return !r.allows(r.reserve, r.call.Capacity.Read) }

// doublings returns how often the number of items that the next of some requests reads is doubled:
// once for each earlier request, at most 10 times, if the read drops items.
func (r *Run) doublings(requests int) int {
	if r.plan.Shared || r.dropped || r.call.Unknown+r.call.Skipped+r.call.Gone > 0 {
		return min(requests, 10)
	}
	return 0
}
