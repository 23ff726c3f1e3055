package query_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/query"
)

// Reads that cannot be sent are refused before a request.
func TestShardedRefusals(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	r := hits.In(openSite(t, db.Client()))
	days, month := query.On(r, "by-day", hit{Site: "s"}), query.On(r, "by-size", hit{Site: "s"})
	cost := db.Measure(func() {
		for name, c := range map[string]struct {
			q    query.Query[hit]
			want error
		}{
			"no bound":               {days, trestle.ErrInvalid},
			"one bound":              {days.Where(hitAt.Ge(day(1))), trestle.ErrInvalid},
			"since":                  {days.Where(attr.Since(hitAt, day(1))), trestle.ErrInvalid},
			"another field":          {days.Where(hitAt.Between(day(2), day(3)), hitSize.Eq(1)), trestle.ErrInvalid},
			"reversed":               {days.Where(hitAt.Between(day(2), day(1))), trestle.ErrInvalid},
			"101 periods":            {days.Where(hitAt.Between(day(1), day(101))), trestle.ErrLimit},
			"more than allowed":      {days.Periods(2, 1).Where(hitAt.Between(day(1), day(3))), trestle.ErrLimit},
			"too few requests":       {query.Of(r, hit{Site: "s"}).MaxRequests(3), trestle.ErrInvalid},
			"too few for the index":  {days.Where(attr.During(hitAt, attr.Day(2026, 8, 2))).MaxRequests(2), trestle.ErrInvalid},
			"more exact than months": {month.Where(attr.During(hitAt, attr.Day(2026, 8, 2))), trestle.ErrInvalid},
			"an hour of months":      {month.Where(hitAt.Between(day(1), day(2).Add(time.Hour))), trestle.ErrInvalid},
			"no periods":             {days.Periods(0, 1).Where(hitAt.Eq(day(1))), trestle.ErrInvalid},
			"none at once":           {days.Periods(1, -1).Where(hitAt.Eq(day(1))), trestle.ErrInvalid},
		} {
			_, err := c.q.Collect(t.Context())
			require.ErrorIs(t, err, c.want, name)
			_, err = c.q.Page(t.Context(), "")
			require.ErrorIs(t, err, c.want, name)
			_, err = c.q.Count(t.Context())
			require.ErrorIs(t, err, c.want, name)
		}
	})
	require.Zero(t, cost.Total("Query"))
}

// A canceled read of shards ends at once, and all its requests end. The error of one request ends
// the others.
func TestCanceledShardedQueries(t *testing.T) {
	t.Parallel()
	list := randomEvents(testrand.New(t), 30)
	for nth := 1; nth <= 5; nth++ {
		synctest.Test(t, func(t *testing.T) {
			db, r := openEvents(t, 1, "<at:s>#<id>")
			for i := range list {
				require.NoError(t, r.Put(t.Context(), &list[i]))
			}
			q := query.Of(r, event{Owner: "o"})
			db.Fail(ddbtest.Op("Query"), ddbtest.Hang, ddbtest.Nth(nth))
			issue, _ := engines.CancelIssue(t.Context(), func(ctx context.Context) error {
				_, err := q.Collect(ctx)
				return err
			})
			require.Empty(t, issue)
			db.ClearFaults()
			db.Fail(ddbtest.Op("Query"), ddbtest.Error("AccessDeniedException", "no", 400), ddbtest.Nth(nth))
			found, err := q.Collect(t.Context())
			require.Error(t, err)
			require.Empty(t, found)
		})
	}
}
