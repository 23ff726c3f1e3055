package query

import (
	"context"
	"iter"
	"reflect"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

// runner runs a request and stores its results in slices of any type. All generic types use it.
type runner struct {
	request
	sink func(*list) core.Sink
}

// newRunner returns a runner for a query of one type.
//
//go:noinline
func newRunner(r *request) *runner {
	return &runner{request: *r, sink: func(l *list) core.Sink { return entitySink{l} }}
}

// stream yields the results of a request, of type R.
//
//go:noinline
func stream[R any](ctx context.Context, r *runner) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var page []R
		ctx, p, err := r.open(ctx, &page)
		if err == nil {
			defer p.run.Close(ctx)
			for p.run.Next(ctx) {
				p.trim()
				for _, item := range page {
					if !yield(item, nil) {
						p.run.Stop()
						return
					}
				}
				p.received()
				p.clear()
			}
			err = r.finish(ctx, p.run)
		}
		if err != nil {
			var zero R
			yield(zero, err)
		}
	}
}

// pages reads the results of a run, one page after the other.
type pages struct {
	*list
	run      *fetch.Run
	received func() // notes that the caller has received a page, which may be empty
}

// open plans the request and starts a run that reads pages into the slice that page points to.
func (r *runner) open(ctx context.Context, page any) (context.Context, *pages, error) {
	plan, err := r.plan()
	if err != nil {
		return ctx, nil, err
	}
	ctx, p := r.openAt(ctx, plan, nil, page)
	return ctx, p, nil
}

// openAt starts a run of a plan at the positions of a cursor.
func (r *runner) openAt(ctx context.Context, plan *read.Plan, from []cursor.Position, page any) (context.Context, *pages) {
	p := &pages{list: newList(page), received: func() {}}
	ctx, p.run = r.start(ctx, plan, r.sink(p.list), from)
	if r.progress != nil {
		p.received = func() { r.progress(r.progressOf(p.run)) }
	}
	return ctx, p
}

// collect reads all results into the slice that all points to. With an error, the slice holds the
// results before the error.
func (r *runner) collect(ctx context.Context, all any) error {
	ctx, p, err := r.open(ctx, all)
	if err != nil {
		return err
	}
	defer p.run.Close(ctx)
	for p.run.Next(ctx) {
		p.received()
	}
	err = r.finish(ctx, p.run)
	p.trim()
	return err
}

// atMost reads at most n results and stores the only result in the value that item points to. It
// returns errs.NotFound if there is none and errs.Several if there is more than one.
func (r *runner) atMost(ctx context.Context, n int, item any) error {
	r.bounds.Items, r.bounds.Ahead = n, false
	target := reflect.ValueOf(item).Elem()
	found := reflect.New(reflect.SliceOf(target.Type()))
	err := r.collect(ctx, found.Interface())
	switch n := found.Elem().Len(); {
	case err != nil:
		return err
	case n == 0:
		return r.failed("query", errs.NotFound)
	case n > 1:
		return r.failed("query", errs.Several)
	}
	target.Set(found.Elem().Index(0))
	return nil
}
