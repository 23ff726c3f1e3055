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
