package query_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// day27 is the day of the first event.
var day27 = eventStart.Truncate(24 * time.Hour)

// changingEvents are events of which those with an odd number come and go.
type changingEvents struct {
	repo  *entity.Repo[event]
	r     *rand.Rand
	owner string
	all   []event
}

func newChangingEvents(t *testing.T, repo *entity.Repo[event], r *rand.Rand) *changingEvents {
	t.Helper()
	c := &changingEvents{repo: repo, r: r, owner: fmt.Sprint(r.Uint64()), all: randomEvents(r, 4+r.IntN(28))}
	var first []event
	for i := range c.all {
		c.all[i].Owner = c.owner
		c.all[i].At = eventStart.Add(c.all[i].At.Sub(eventStart) / 16) // within six hours
		c.all[i].Even = r.IntN(3) > 0
		if i%2 == 0 || r.IntN(2) == 0 {
			first = append(first, c.all[i])
		}
	}
	require.NoError(t, repo.PutMany(t.Context(), pointersTo(first)))
	return c
}

// change adds and deletes some events with odd numbers.
func (c *changingEvents) change(t *testing.T) {
	t.Helper()
	for range c.r.IntN(4) {
		one := c.all[c.r.IntN(len(c.all)/2)*2+1]
		if c.r.IntN(2) == 0 {
			require.NoError(t, c.repo.Put(t.Context(), &one))
		} else {
			require.NoError(t, c.repo.Delete(t.Context(), one))
		}
	}
}

// wrong reports an event with an even number that was not returned once, and an event that was
// returned twice or out of order.
func (c *changingEvents) wrong(got []event, filtered bool, order func(a, b event) int) string {
	seen := map[string]int{}
	for i, e := range got {
		if seen[e.ID]++; seen[e.ID] > 1 {
			return e.ID + " came twice"
		}
		if i > 0 && order(got[i-1], e) > 0 {
			return e.ID + " is out of order"
		}
	}
	for i, e := range c.all {
		if i%2 == 0 && seen[e.ID] == 0 && (e.Even || !filtered) {
			return e.ID + " did not come"
		}
	}
	return ""
}

// query returns a random query of the events in a form, and the order of its results.
func (c *changingEvents) query(form int) (q query.Query[event], filtered bool, order func(a, b event) int) {
	period := eventPartitions[form].period
	q, order = query.Of(c.repo, event{Owner: c.owner}), func(a, b event) int { return a.At.Compare(b.At) }
	if c.r.IntN(3) == 0 {
		q, order = query.On(c.repo, "by-score", event{Owner: c.owner}), eventQuery{period: period}.byScore
	}
	switch period {
	case time.Hour:
		q = q.Where(eventAt.Between(eventStart, eventStart.Add(6*time.Hour)))
	case 24 * time.Hour:
		q = q.Where(attr.During(eventAt, attr.Period{Start: day27, End: day27.AddDate(0, 0, 2)}))
	}
	if c.r.IntN(2) == 0 {
		q, order = q.Desc(), reversed(order)
	}
	if filtered = c.r.IntN(2) == 0; filtered {
		q = q.Filter(eventEven.Eq(true))
	}
	return bounded(q, c.r), filtered, order
}

// Pages of a query over shards and periods have each event that exists all the time once, and in
// order, while others are added and deleted between the pages.
func TestShardedPagesHaveEveryItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r, client := testrand.New(t), e.Client(t)
		cases := testsize.Sequential(6, 20, 80, 6_000)
		if e.Name != engines.InProcess {
			cases = testsize.Sequential(1, 2, 3, 100)
		}
		for form := 1; form < len(eventPartitions); form++ {
			repo := eventsOn(t, client, form, "<at:s>#<id>", entity.PlainCursors())
			for range cases {
				events := newChangingEvents(t, repo, r)
				q, filtered, order := events.query(form)
				got := events.pages(t, q, func(ctx context.Context, q query.Query[event], _ int, cursor string) (query.Page[event], error) {
					return q.Page(ctx, cursor)
				})
				require.Empty(t, events.wrong(got, filtered, order), eventPartitions[form].name)
			}
		}
	})
}

// The test above finds the errors of a naive query of shards.
func TestShardedPagesControl(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	db, repo := openEvents(t, 1, "<at:s>#<id>")
	caught := false
	for n := 0; n < 100 && !caught; n++ {
		events := newChangingEvents(t, repo, r)
		got := events.pages(t, query.Of(repo, event{Owner: events.owner}), naiveEvents(db.Client(), repo, events.owner, false))
		caught = events.wrong(got, false, func(a, b event) int { return a.At.Compare(b.At) }) != ""
	}
	require.True(t, caught)
}

// pages reads all pages of a query, and changes events between them.
func (c *changingEvents) pages(t *testing.T, q query.Query[event], next eventPager) (got []event) {
	t.Helper()
	for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
		require.Less(t, n, 2000, "the pages do not end")
		page, err := next(t.Context(), q, 3, cursor)
		require.NoError(t, err)
		got, cursor = append(got, page.Items...), page.Next
		c.change(t)
	}
	return got
}

func reversed(order func(a, b event) int) func(a, b event) int {
	return func(a, b event) int { return order(b, a) }
}

// bounded adds random bounds and budgets.
func bounded(q query.Query[event], r *rand.Rand) query.Query[event] {
	q = q.Periods(200, 1+r.IntN(3)).PageSize(1 + r.IntN(4))
	if r.IntN(2) == 0 {
		q = q.Limit(1 + r.IntN(5))
	}
	switch r.IntN(4) {
	case 0:
		q = q.MaxRequests(7 + r.IntN(3))
	case 1:
		q = q.MaxUnits(0.5 + float64(r.IntN(4)))
	}
	return q
}
