package query

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/read"
)

// ending is how a request comes out as values of R: what every type of query ends with.
type ending[R any] struct {
	q    request
	sink func(*read.Plan) collector[R]
}

func (e ending[R]) all(ctx context.Context) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		if err := e.each(ctx, func(item R) bool { return yield(item, nil) }); err != nil {
			var zero R
			yield(zero, err)
		}
	}
}

// each hands item after item on, as long as they are wanted.
func (e ending[R]) each(ctx context.Context, yield func(R) bool) error {
	p, err := e.q.plan()
	if err != nil {
		return err
	}
	s := e.sink(p)
	return e.q.each(ctx, p, s, func() bool {
		for _, item := range s.take() {
			if !yield(item) {
				return false
			}
		}
		return true
	})
}

func (e ending[R]) collect(ctx context.Context) ([]R, error) {
	p, err := e.q.plan()
	if err != nil {
		return nil, err
	}
	s := e.sink(p)
	var all []R
	err = e.q.each(ctx, p, s, func() bool {
		if page := s.take(); all == nil {
			all = page
		} else {
			all = append(all, page...)
		}
		return true
	})
	return all, err
}

func (e ending[R]) first(ctx context.Context) (R, error) {
	return e.few(ctx, 1)
}

func (e ending[R]) one(ctx context.Context) (R, error) {
	return e.few(ctx, 2)
}

// few reads up to n entities, of which there must be one, and not n where that is more.
func (e ending[R]) few(ctx context.Context, n int) (R, error) {
	e.q.bounds.Items, e.q.bounds.Ahead = n, false
	var zero R
	found, err := e.collect(ctx)
	switch {
	case err != nil:
		return zero, err
	case len(found) == 0:
		return zero, e.q.failed("query", fail.NotFound, nil)
	case len(found) > 1:
		return zero, e.q.failed("query", fail.Several, nil)
	}
	return found[0], nil
}
