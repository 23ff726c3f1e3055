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
// breaking off ends the reading. An error is yielded last, with the zero T.
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
			page := s.page
			s.page = s.page[:0]
			for i := range page {
				if !yield(page[i], nil) {
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
	stopped bool
}

// Place grows the page by a zero T.
func (s *typed[T]) Place(*core.Plan) (codec.Ptr, bool) {
	var zero T
	s.page = append(s.page, zero)
	return codec.PtrTo(&s.page[len(s.page)-1]), true
}

func (s *typed[T]) Take(*core.Plan, codec.Ptr, map[string]core.AV) error { return nil }

func (s *typed[T]) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }
