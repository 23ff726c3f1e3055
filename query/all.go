package query

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/fetch"
)

// All streams the entities in the order of the sort key, page after page: a page is read when the one before has been ranged over, and
// breaking off ends the reading. An error is yielded last, with the zero T, after all items that came before it.
func (q Query[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		p, err := q.q.plan()
		if err != nil {
			yield(zero, err)
			return
		}
		s := &typed[T]{}
		err = fetch.New(q.q.env, p, s).Each(ctx, func() bool {
			for _, item := range s.take() {
				if !yield(item, nil) {
					s.stopped = true
					return false
				}
			}
			return true
		})
		if err != nil && !s.stopped {
			yield(zero, door.Fail(err))
		}
	}
}

// typed is the sink of a page of one type.
type typed[T any] struct {
	page    []T
	filled  int // how many of the page are whole: one that could not be decoded is not
	stopped bool
}

// take hands the page on.
func (s *typed[T]) take() []T {
	page := s.page[:s.filled]
	s.page, s.filled = nil, 0
	return page
}

// Place grows the page by a zero T.
func (s *typed[T]) Place(*core.Plan) (codec.Ptr, bool) {
	var zero T
	s.page = append(s.page[:s.filled], zero)
	return codec.PtrTo(&s.page[s.filled]), true
}

// Take says that the place is filled.
func (s *typed[T]) Take(*core.Plan, codec.Ptr, map[string]core.AV) error {
	s.filled++
	return nil
}

func (s *typed[T]) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }
