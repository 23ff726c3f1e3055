package query

import (
	"context"
	"errors"
	"reflect"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/read"
)

// Page is one page of results.
//
// With a Limit, a page holds that many results. It holds fewer if the read reaches its end, a
// budget, or an item that cannot be read; that item fails the next page. Without a Limit, a page
// holds the results of the first request that returns any. If the error is not nil, the page has no
// items, but still reports what was read and paid for.
type Page[R any] struct {
	Items []R
	// Next is the cursor after the last of Items. Pass it to Page of the same query. It is empty at
	// the end. If it is not empty, the next page may still be empty: DynamoDB does not report
	// whether more items follow.
	Next     string
	Scanned  int // items read, before any filter
	Requests int
	Capacity entity.Capacity
}

var errNoCursors = errs.New("", "the table was opened without cursors", "open it with entity.Cursors and a ring of keys, or with entity.PlainCursors")

// pageOf reads a page of results of type R.
func pageOf[R any](ctx context.Context, e *runner, token string) (Page[R], error) {
	p := Page[R]{}
	at, err := e.page(ctx, token, &p.Items)
	p.Next, p.Scanned, p.Requests, p.Capacity = at.next, at.scanned, at.requests, at.capacity
	return p, err
}

// pageEnd is a page without its items.
type pageEnd struct {
	next              string
	scanned, requests int
	capacity          entity.Capacity
}

// page reads a page into the slice that items points to.
func (e *runner) page(ctx context.Context, token string, items any) (end pageEnd, err error) {
	p, from, err := e.q.resume(token)
	if err != nil {
		return end, err
	}
	l := newList(items)
	run := e.q.run(p, e.sink(p, l), from)
	whole := 0
	err = run.Each(ctx, func() bool {
		whole = l.filled
		// The results before an unreadable item are a page. The item itself fails the next page.
		return whole == 0 || e.q.bounds.Items > 0 && !run.Stuck()
	})
	done := run.Call()
	end = pageEnd{scanned: done.Scanned, requests: done.Requests, capacity: entity.Capacity(done.Capacity)}
	if err == nil && !run.Ended() {
		end.next, err = e.q.cursors.Seal(e.q.binding(p), p.Position, []cursor.Position{run.Position()}, e.q.env.Now())
		if err != nil {
			err = e.q.refused(err)
		}
	} else {
		err = door.Fail(err)
	}
	if err != nil {
		l.clear()
		return end, err
	}
	if l.filled = whole; whole == 0 {
		// An empty page is not nil, so that encoders write an empty list.
		l.slice.Set(reflect.MakeSlice(l.slice.Type(), 0, 0))
	}
	l.trim()
	return end, nil
}

// resume plans a read that returns cursors. It returns the plan and the start position.
func (r *request) resume(token string) (*read.Plan, cursor.Position, error) {
	// Page returns all results at once, so there is nothing to prefetch.
	r.bounds.Ahead = false
	p, err := r.plan()
	if r.err == nil && r.query.Plan != nil && r.cursors == nil {
		err = errors.Join(r.refused(errNoCursors), err)
	}
	if err != nil || token == "" {
		return p, cursor.Position{}, err
	}
	from, err := r.cursors.Open(r.binding(p), p.Position, token, r.env.Now())
	if err != nil || len(from) != 1 || !stands(p, from[0]) {
		return nil, cursor.Position{}, r.failed("query", errs.Cursor, nil)
	}
	return p, from[0], nil
}

// stands reports whether a position is valid for a read. Callers can forge positions in plain
// cursors.
func stands(p *read.Plan, at cursor.Position) bool {
	return at.Part < p.Parts() && (at.After == nil || p.Allows(at.Part, at.After))
}
