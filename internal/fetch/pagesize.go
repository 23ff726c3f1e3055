package fetch

import "github.com/trestledb/trestle/internal/read"

// mergeLimit returns the maximum number of items of the next request of a stream of a group; 0 is
// unbounded. For W wanted items and S streams, all requests of the run together read at most 2W +
// S*SmallestPage items, unless items are dropped: by a filter, because they have expired, are of
// another type or the library's own, or because a row with the same sort key was returned before.
func (r *Run) mergeLimit(s *stream) int {
	if r.left <= 0 || r.plan.Filtered {
		return r.bounds.PageSize
	}
	if r.groupOf(s) != r.groupOf(r.streams[0]) { // the caller wants to read groups at the same time
		return r.bounds.limit(r.plan, r.left, 0)
	}
	if r.groupOf(s) != r.limited {
		r.limited, r.limits, r.wanted = r.groupOf(s), 0, r.left
	}
	streams := len(r.group())
	n := r.left/streams + read.SmallestPage
	if s.requested {
		n = max(read.SmallestPage, s.returned)
	}
	// Each further wanted item may need a request of its own for one item.
	allowed := 2*r.wanted + r.plan.Shards*read.SmallestPage - r.limits - r.left
	n = max(1, min(n, r.left, allowed))
	if r.drops() {
		n <<= min(r.call.Requests/streams, 10)
	}
	if size := r.bounds.PageSize; size > 0 {
		n = min(n, size)
	}
	r.limits += n
	return n
}
