package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/core"
)

// A run whose plan fetches reads the whole items of an index's entries. It reads them in batches,
// in the order in which it passes them to the sink, and only as many as are still wanted.

// entry is a row of the last page of a stream.
type entry struct {
	of *stream
	at int // its index
}

func (e entry) row() core.Row { return e.of.page.Rows.At(e.at) }

// fetched returns the item of the next row of a stream. It returns false if the run must end before
// the row: a budget is used up, or the batch read failed.
func (r *Run) fetched(ctx context.Context, s *stream) (item core.Row, ok bool) {
	if _, read := s.items[s.next]; !read && r.ending.unfetched == nil {
		r.ending.unfetched = r.fetch(ctx)
	}
	item, ok = s.items[s.next]
	return item, ok
}

// fetch reads the items of the next entries.
func (r *Run) fetch(ctx context.Context) error {
	next := r.upcoming(r.batchLimit())
	requests := make([]KeyRequest, len(next))
	for i, e := range next {
		requests[i] = KeyRequest{Table: r.call.Config.Table, Schema: r.plan.Schema, Key: r.plan.Schema.KeyOf(e.row()), Strong: r.plan.Fetch.Strong}
	}
	read := make([]core.Row, len(next))
	b := newBatch(&r.call, requests, Projection{r.plan.Fetch.Projection, r.plan.Fetch.Names}, func(i int, row core.Row) error {
		read[i] = row
		return nil
	})
	b.mayRequest = r.mayFetch
	err := b.run(ctx)
	r.setExpiry() // the items arrive later than their entries
	left := map[int]bool{}
	for _, i := range b.left() {
		left[i] = true
	}
	for i, e := range next {
		if !left[i] {
			e.of.setItem(e.at, read[i])
		}
	}
	return err
}

// setItem sets the item of a row of the page. The zero Row is no item.
func (s *stream) setItem(at int, item core.Row) {
	if s.items == nil {
		s.items = map[int]core.Row{}
	}
	s.items[at] = item
}

// batchLimit returns how many items to read at once; 0 is unbounded. With a filter, it doubles with
// each batch, because the filter drops an unknown number of items.
func (r *Run) batchLimit() int {
	switch {
	case r.left < 0:
		return 0
	case r.plan.Filtered:
		return r.left << min(r.batches, 10)
	default:
		return r.left
	}
}

// mayFetch reports whether no budget prevents the next request of a batch read, and counts it. The
// first one has no budget in units: otherwise a run with a small one would never return an item.
func (r *Run) mayFetch() bool {
	units := r.call.Capacity.Read
	if r.batches == 0 {
		units = 0
	}
	if !r.allows(0, units) {
		return false
	}
	r.batches++
	r.sent++
	return true
}

// upcoming returns the next rows that have an item to read, at most n of them, in the order in
// which the run passes them. It ends where a stream needs its next page.
func (r *Run) upcoming(n int) (next []entry) {
	at := make([]int, len(r.page.group))
	for i, s := range r.page.group {
		at[i] = s.next
	}
	for s := r.head(); s != nil && (n == 0 || len(next) < n); s = r.head() {
		row, _ := s.row()
		if _, read := s.items[s.next]; !read && r.needsItem(row) {
			next = append(next, entry{s, s.next})
		}
		s.next++
		s.skip()
	}
	for i, s := range r.page.group {
		s.next = at[i]
	}
	return next
}
