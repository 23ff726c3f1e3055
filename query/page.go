package query

import (
	"context"
	"reflect"

	"github.com/trestledb/trestle"
)

// Page is one page of results.
//
// With a Limit, a page holds that many results. It holds fewer if the read reaches its end, a
// budget, or an item that cannot be read; that item fails the next page. Without a Limit, a page
// holds the results of the first request that returns any. If the error is not nil, the page has no
// items, but Scanned, Requests and Capacity still count what was read.
type Page[R any] struct {
	Items []R
	// Next is the cursor after the last of Items. Pass it to Page of the same query. It is empty at
	// the end. If it is not empty, the next page may still be empty: DynamoDB does not report
	// whether more items follow.
	Next    string
	Scanned int // items read, before any filter; with Fetch: entries of the index
	// Gone counts the index entries of a query with Fetch that are left out because their item was
	// deleted, or has another key on the index now.
	Gone int
	// Misplaced counts the items that are stored under another key than the one that their fields
	// render to; see [trestle.Event].
	Misplaced int
	// IgnoredTTL counts the items whose time to live DynamoDB ignores; see [trestle.Event].
	IgnoredTTL int
	Requests   int
	Capacity   trestle.Capacity
}

// pageOf reads a page of results of type R.
//
//go:noinline
func pageOf[R any](ctx context.Context, r *runner, token string) (Page[R], error) {
	p := Page[R]{}
	at, err := r.page(ctx, token, &p.Items)
	p.Next, p.Scanned, p.Gone, p.Requests, p.Capacity = at.next, at.scanned, at.gone, at.requests, at.capacity
	p.Misplaced, p.IgnoredTTL = at.misplaced, at.ignoredTTL
	return p, err
}

// mergedPageSize is the maximum number of items that a request of a page reads if the partition has
// shards, and the page has no limit. The next page reads again what was not returned.
const mergedPageSize = 100

// pageEnd is a page without its items.
type pageEnd struct {
	next                    string
	scanned, gone, requests int
	misplaced, ignoredTTL   int
	capacity                trestle.Capacity
}

// page reads a page into the slice that items points to.
func (r *runner) page(ctx context.Context, token string, items any) (end pageEnd, err error) {
	// Page returns all results at once, so there is nothing to prefetch.
	r.bounds.Ahead = false
	p, from, err := r.resume(token)
	if err != nil {
		return end, err
	}
	if p.Shards > 1 && r.bounds.Items == 0 && r.bounds.PageSize == 0 {
		r.bounds.PageSize = mergedPageSize
	}
	l := newList(items)
	ctx, run := r.start(ctx, p, r.sink(l), from)
	defer run.Close(ctx)
	// The results before an unreadable item are a page. The item itself fails the next page.
	for run.Next(ctx) && (l.filled == 0 || r.bounds.Items > 0 && !run.Stuck()) {
	}
	run.Stop()
	run.Close(ctx)
	event := run.Event()
	end = pageEnd{scanned: event.Scanned, gone: event.Gone, requests: event.Requests, capacity: event.Capacity}
	end.misplaced, end.ignoredTTL = event.Misplaced, event.IgnoredTTL
	if err = run.Err(); err == nil {
		end.next, err = r.cursor(p, run.Positions())
	}
	if err != nil {
		l.clear()
		end.misplaced, end.ignoredTTL = 0, 0
		return end, err
	}
	if l.trim(); l.filled == 0 {
		// An empty page is not nil, so that encoders write an empty list.
		l.slice.Set(reflect.MakeSlice(l.slice.Type(), 0, 0))
	}
	return end, nil
}
