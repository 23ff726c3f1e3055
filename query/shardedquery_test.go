package query_test

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// eventQuery is a random query, built for any form.
type eventQuery struct {
	bound  attr.KeyCond[event] // on the time; nil: none
	where  []attr.KeyCond[event]
	filter []attr.Cond[event]
	index  bool
	desc   bool
	limit  int
	page   int
	period time.Duration // of the partitions; 0: none
	// Budgets; 0: none.
	requests int
	units    float64
}

func (q eventQuery) on(r *entity.Repo[event]) query.Query[event] {
	made := query.Of(r, event{Owner: "o"})
	if q.index {
		made = query.On(r, "by-score", event{Owner: "o"})
	}
	made = made.Where(q.where...).Filter(q.filter...).Periods(1000, 1+q.limit%3)
	if q.bound != nil {
		made = made.Where(q.bound)
	}
	if q.desc {
		made = made.Desc()
	}
	if q.page > 0 {
		made = made.PageSize(q.page)
	}
	if q.requests > 0 {
		made = made.MaxRequests(q.requests)
	}
	if q.units > 0 {
		made = made.MaxUnits(q.units)
	}
	return made
}

// onOne returns the same query of one partition, whose index does not have the time in its key.
func (q eventQuery) onOne(r *entity.Repo[event]) query.Query[event] {
	if q.bound != nil && q.index {
		q.filter = append(slices.Clone(q.filter), q.bound)
		q.bound = nil
	}
	q.page, q.requests, q.units = 0, 0, 0
	return q.on(r)
}

// randomEventQuery returns a query on the sort key <at:s>#<id>, or on the index by the score.
func randomEventQuery(r *rand.Rand, list []event, period time.Duration) eventQuery {
	q := eventQuery{period: period, index: r.IntN(3) == 0, desc: r.IntN(2) == 0, limit: 1 + r.IntN(12)}
	some := list[r.IntN(len(list))].At.Add(time.Duration(r.IntN(3)-1) * time.Second)
	other := list[r.IntN(len(list))].At
	if other.Before(some) {
		some, other = other, some
	}
	day, early := attr.Day(2026, 2, 28), eventStart.Add(-5*time.Hour)
	switch { // few partitions, to test many queries
	case period == time.Hour:
		some = other.Add(-other.Sub(some) / 30).Truncate(time.Second)
		day = attr.Period{Start: day.Start.Add(6 * time.Hour), End: day.Start.Add(10 * time.Hour)}
		early = eventStart.Add(-time.Hour)
	case period > 0:
		some = other.Add(-other.Sub(some) / 8).Truncate(time.Second)
	}
	bounded := []attr.KeyCond[event]{
		attr.During(eventAt, attr.Hour(2026, 2, 28, 7)), attr.During(eventAt, day), attr.During(eventAt, attr.Period{Start: some, End: other}),
		eventAt.Between(some, other), eventAt.Between(early, eventStart.Add(time.Hour)), eventAt.Eq(other),
	}
	switch {
	case period > 0 && q.index:
		q.bound = bounded[1]
	case period > 0:
		q.bound = bounded[r.IntN(len(bounded))]
	case !q.index:
		open := []attr.KeyCond[event]{nil, eventAt.Lt(some), eventAt.Le(some), eventAt.Gt(some), eventAt.Ge(some)}
		q.bound = append(bounded, open...)[r.IntN(len(bounded)+len(open))]
	}
	if q.bound == bounded[5] && !q.index && r.IntN(2) == 0 {
		q.where = append(q.where, attr.BeginsWith(eventID, "a"))
	}
	if q.index && r.IntN(2) == 0 {
		low := r.IntN(12)
		q.where = append(q.where, []attr.KeyCond[event]{
			eventScore.Eq(low), eventScore.Gt(low), eventScore.Lt(low), eventScore.Between(low, low+3),
		}[r.IntN(4)])
	}
	if r.IntN(4) == 0 {
		q.filter = append(q.filter, eventEven.Eq(true))
	}
	if r.IntN(3) == 0 {
		q.page = 1 + r.IntN(6)
	}
	return q
}

// budget adds a budget to a query in some cases.
func (q *eventQuery) budget(r *rand.Rand) {
	switch r.IntN(6) {
	case 0:
		q.requests = 7 + r.IntN(4)
	case 1:
		q.units = 0.5 + float64(r.IntN(4))
	}
}
