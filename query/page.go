package query

import (
	"context"
	"errors"

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

func (e ending[R]) page(ctx context.Context, token string) (Page[R], error) {
	p, from, err := e.q.resume(token)
	if err != nil {
		return Page[R]{}, err
	}
	s := e.sink(p)
	run := e.q.run(p, s, from)
	page := Page[R]{Items: []R{}}
	err = run.Each(ctx, func() bool {
		page.Items = append(page.Items, s.take()...)
		// What comes before an item that cannot be read is a page; the item itself fails the next one.
		return len(page.Items) == 0 || e.q.bounds.Items > 0 && !run.Stuck()
	})
	done := run.Call()
	page.Scanned, page.Requests, page.Capacity = done.Scanned, done.Requests, entity.Capacity(done.Capacity)
	if err != nil {
		page.Items = nil
		return page, door.Fail(err)
	}
	if run.Ended() {
		return page, nil
	}
	page.Next, err = e.q.cursors.Seal(e.q.binding(p), p.Position, []cursor.Position{run.Position()}, e.q.env.Now())
	if err != nil {
		page.Items = nil
		return page, e.q.refused(err)
	}
	return page, nil
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
