package query

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/explain"
	"github.com/trestledb/trestle/internal/fetch"
)

// Explain describes what the query would do and estimates its cost. It sends nothing. It uses only
// the first assumption.
func (q Query[T]) Explain(assume ...entity.Assumption) (entity.Explanation, error) {
	return q.q.explain(assume)
}

// Explain describes the query like [Query.Explain].
func (q Projected[P]) Explain(assume ...entity.Assumption) (entity.Explanation, error) {
	return q.q.explain(assume)
}

// Explain describes the read like [Query.Explain].
func (c Collection) Explain(assume ...entity.Assumption) (entity.Explanation, error) {
	return c.q.explain(assume)
}

// Explain describes the scan like [Query.Explain].
func (s TableScan[R]) Explain(assume ...entity.Assumption) (entity.Explanation, error) {
	p, _, err := s.s.plan(nil)
	if err != nil {
		return entity.Explanation{}, err
	}
	bounds := boundsOf(s.s.bounds)
	bounds.Segments = s.s.segments
	return explained(explain.Scan(p, s.s.env.Table, bounds, first(assume))), nil
}

func (r *request) explain(assume []entity.Assumption) (entity.Explanation, error) {
	p, err := r.plan()
	if err != nil {
		return entity.Explanation{}, err
	}
	return explained(explain.Query(p, r.env.Table, boundsOf(r.bounds), first(assume))), nil
}

func boundsOf(b fetch.Bounds) explain.Bounds {
	return explain.Bounds{Wanted: b.Items, PageSize: b.PageSize, Requests: b.Requests, Units: b.Units}
}

func first(assume []entity.Assumption) explain.Assumption {
	if len(assume) == 0 {
		return explain.Assumption{}
	}
	return explain.Assumption(assume[0])
}

func explained(r explain.Report) entity.Explanation {
	e, _ := door.Explanation(r).(entity.Explanation)
	return e
}
