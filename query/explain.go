package query

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/explain"
)

// Explain describes what the query would do and estimates its cost. It sends nothing. It uses only
// the first assumption.
//
//go:noinline
func (q Query[T]) Explain(assume ...trestle.Assumption) (trestle.Explanation, error) {
	return q.q.explain(assume)
}

// Explain describes the query like [Query.Explain].
//
//go:noinline
func (q Projected[P]) Explain(assume ...trestle.Assumption) (trestle.Explanation, error) {
	return q.q.explain(assume)
}

// Explain describes the read like [Query.Explain].
func (c Collection) Explain(assume ...trestle.Assumption) (trestle.Explanation, error) {
	return c.q.explain(assume)
}

// Explain describes the scan like [Query.Explain].
//
//go:noinline
func (s TableScan[R]) Explain(assume ...trestle.Assumption) (trestle.Explanation, error) {
	return s.q.explain(assume)
}

func (r *request) explain(assume []trestle.Assumption) (trestle.Explanation, error) {
	p, err := r.plan()
	if err != nil {
		return trestle.Explanation{}, err
	}
	b := explain.Bounds{Wanted: r.bounds.Items, PageSize: r.bounds.PageSize, Requests: r.bounds.Requests, Units: r.bounds.Units, AtOnce: r.bounds.AtOnce}
	return explain.Read(p, r.config.Table, b, first(assume)), nil
}

func first(assume []trestle.Assumption) trestle.Assumption {
	if len(assume) == 0 {
		return trestle.Assumption{}
	}
	return assume[0]
}
