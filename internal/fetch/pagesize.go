package fetch

import "github.com/trestledb/trestle/internal/read"

// mergeLimit returns the maximum number of items of the next request of a stream of a group; 0 is
// unbounded. For W wanted items and S streams, all requests of the run together read at most 2W +
// S*SmallestPage items, unless items are dropped: by a filter, because they are of another type or
// the library's own, or because a row with the same sort key was returned before.
func (r *Run) mergeLimit(s *stream) int {
	if r.left <= 0 || r.plan.Filtered {
		return r.bounds.PageSize
	}
	if r.groupOf(s) != r.groupOf(r.streams[0]) { // the caller wants to read groups at the same time
		return r.bounds.limit(r.plan, r.left, 0)
	}
	streams := len(r.group())
	n := share(r.left, streams)
	if s.requested {
		n = max(read.SmallestPage, s.returned)
	}
	// Each further wanted item may need a request of its own for one item.
	allowed := 2*r.bounds.Items + r.plan.Shards*read.SmallestPage - r.limits - r.left
	n = max(1, min(n, r.left, allowed))
	if r.plan.Shared || r.call.Unknown+r.call.Skipped > 0 {
		n <<= min(r.call.Requests/streams, 10)
	}
	if size := r.bounds.PageSize; size > 0 && size < n {
		n = size
	}
	s.limit = n
	r.limits += n
	return n
}

// settleLimit replaces the limit of a request in the sum by the number of items that it read.
func (r *Run) settleLimit(s *stream) {
	if s.limit > 0 {
		r.limits += s.page.Scanned - s.limit
		s.limit = 0
	}
}

// share returns how many of the wanted items the first request of each of several streams reads.
func share(wanted, streams int) int { return min(wanted, wanted/streams+read.SmallestPage) }

// firstLimit returns the maximum number of items of the first request of a run of a query; 0 is
// unbounded.
func (b *Bounds) firstLimit(p *read.Plan) int {
	streams := 0
	for i := range p.Shards {
		if !p.Partition(i).Empty {
			streams++
		}
	}
	if b.Items == 0 || streams == 0 {
		return b.limit(p, b.Items, 0)
	}
	return b.limit(p, share(b.Items, streams), 0)
}
