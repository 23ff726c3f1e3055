package query

import (
	"context"
	"iter"
	"reflect"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/read"
)

// runner runs a request and stores its results in slices of any type. All query types use it.
type runner struct {
	q    request
	sink func(*read.Plan, *list) sink
}

// newRunner returns a runner for a query of one type.
func newRunner(q *request) *runner {
	return &runner{*q, func(_ *read.Plan, l *list) sink { return entitySink{l} }}
}

// stream yields the results of a request, of type R.
func stream[R any](ctx context.Context, e *runner) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var page []R
		err := e.each(ctx, &page, func() bool {
			for _, item := range page {
				if !yield(item, nil) {
					return false
				}
			}
			return true
		})
		if err != nil {
			var zero R
			yield(zero, err)
		}
	}
}

// each reads one page after the other into the slice that page points to, until more returns false.
func (e *runner) each(ctx context.Context, page any, more func() bool) error {
	p, err := e.q.plan()
	if err != nil {
		return err
	}
	l := newList(page)
	return e.q.each(ctx, p, e.sink(p, l), func() bool {
		l.trim()
		wanted := more()
		l.clear()
		return wanted
	})
}

// collect reads all results into the slice that all points to. With an error, the slice holds the
// results before the error.
func (e *runner) collect(ctx context.Context, all any) error {
	p, err := e.q.plan()
	if err != nil {
		return err
	}
	l := newList(all)
	whole := 0
	err = e.q.each(ctx, p, e.sink(p, l), func() bool {
		whole = l.filled
		return true
	})
	l.filled = whole
	l.trim()
	return err
}

// few reads at most n results and stores the only result in the value that item points to. It
// returns errs.NotFound if there is none and errs.Several if there is more than one.
func (e *runner) few(ctx context.Context, n int, item any) error {
	e.q.bounds.Items, e.q.bounds.Ahead = n, false
	place := reflect.ValueOf(item).Elem()
	found := reflect.New(reflect.SliceOf(place.Type()))
	err := e.collect(ctx, found.Interface())
	switch n := found.Elem().Len(); {
	case err != nil:
		return err
	case n == 0:
		return e.q.failed("query", errs.NotFound, nil)
	case n > 1:
		return e.q.failed("query", errs.Several, nil)
	}
	place.Set(found.Elem().Index(0))
	return nil
}
