package query

import (
	"context"
	"errors"
	"reflect"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/read"
)

// Page is a page of a query's results.
//
// It holds as many as the query's Limit says, unless the read came to its end or a budget before, or to an item that cannot be read, which fails the
// next page; without a Limit, what the first request brings that brings any. With an error it has no items, and says what was read and paid for.
type Page[R any] struct {
	Items []R
	// Next is the cursor behind the last of Items, to be given to Page again, by the same query; empty at the end. Behind it there may turn out to be
	// nothing: the service does not say.
	Next     string
	Scanned  int // items read, before any filter
	Requests int
	Capacity entity.Capacity
}

var errNoCursors = fail.Refuse("", "the table was opened without cursors", "open it with entity.Cursors and a ring of keys, or with entity.PlainCursors")

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

// page reads a page into a slice, given by a pointer.
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
		// What comes before an item that cannot be read is a page; the item itself fails the next one.
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
		l.slice.Set(reflect.MakeSlice(l.slice.Type(), 0, 0)) // an empty page is not nil, for what encodes it
	}
	l.trim()
	return end, nil
}

// resume plans a read that gives cursors, and finds where it starts.
func (r *request) resume(token string) (*read.Plan, cursor.Position, error) {
	// A page is looked at as a whole: there is nothing to read ahead of.
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
		return nil, cursor.Position{}, r.failed("query", fail.Cursor, nil)
	}
	return p, from[0], nil
}

// stands reports whether a read can stand at a position: anybody can make one up in a plain cursor.
func stands(p *read.Plan, at cursor.Position) bool {
	return at.Part < p.Parts() && (at.After == nil || p.Allows(at.Part, at.After))
}
