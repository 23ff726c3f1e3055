package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// A budget ends a read whose filter drops everything. Page returns a cursor to continue from; all
// other methods return ErrBudget.
func TestBudgetsOnEmptyPages(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		repo := library0(t, client)
		var all []*row
		for n := range 100 {
			all = append(all, &row{Book: "b", N: n, Shelf: "s", Keep: n == 99})
		}
		putAll(t, client, all)
		q := query.Of(repo, row{Book: "b"}).Filter(rowKeep.Eq(true)).PageSize(10)

		page, err := q.MaxRequests(3).Page(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, page.Items)
		require.NotEmpty(t, page.Next)
		require.Equal(t, 3, page.Requests)
		require.Equal(t, 30, page.Scanned)
		page, err = q.Limit(1).MaxUnits(2).Page(t.Context(), page.Next)
		require.NoError(t, err)
		require.Empty(t, page.Items)
		require.Equal(t, 4, page.Requests, "half a unit each")
		require.InDelta(t, 2, page.Capacity.Read, 0)
		page, err = q.Page(t.Context(), page.Next)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, 3, page.Requests, "pages without any are passed over")

		for name, limited := range map[string]query.Query[row]{
			"requests": q.MaxRequests(3), "units": q.MaxUnits(1.5), "both": q.MaxRequests(50).MaxUnits(1.1), "ahead": q.MaxRequests(3).Prefetch(),
			"units ahead": q.MaxUnits(1.5).Prefetch(),
		} {
			counted := 0
			for _, err := range limited.All(t.Context()) {
				require.ErrorIs(t, err, query.ErrBudget, name)
				counted++
			}
			require.Equal(t, 1, counted, name)
			_, err := limited.First(t.Context())
			require.ErrorIs(t, err, query.ErrBudget, name)
			_, err = limited.One(t.Context())
			require.ErrorIs(t, err, query.ErrBudget, name)
			_, err = limited.Count(t.Context())
			require.ErrorIs(t, err, query.ErrBudget, name)
		}
		for _, enough := range []query.Query[row]{q.MaxRequests(11), q.MaxUnits(5.5), q.MaxRequests(11).Prefetch()} {
			found, err := enough.Collect(t.Context())
			require.NoError(t, err)
			require.Len(t, found, 1)
		}
	})
}

// Reads never send more requests than their budget allows, and paging returns the same items. This
// holds for all bounds and filters, and for empty and short pages of the service.
func TestBudgets(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	db := ddbtest.Start(t, ddbtest.Options{Seed: r.Uint64()})
	repo := library0(t, db.Client())
	var all []*row
	kept := 0
	for n := range 100 {
		one := &row{Book: "b", N: n, Shelf: "s", Keep: r.IntN(5) == 0}
		all, kept = append(all, one), kept+boolToInt(one.Keep)
	}
	putAll(t, db.Client(), all)
	for range testsize.Pick(100, 200, 2000) {
		db.ClearFaults()
		switch r.IntN(3) {
		case 0:
			db.Fail(ddbtest.Op("Query"), ddbtest.EmptyPage, ddbtest.Rate(0.4))
		case 1:
			db.Fail(ddbtest.Op("Query"), ddbtest.CutPage(1+r.IntN(5)), ddbtest.Rate(0.7))
		}
		most := 1 + r.IntN(4)
		q := query.Of(repo, row{Book: "b"}).Filter(rowKeep.Eq(true)).MaxRequests(most).PageSize(5 + r.IntN(30))
		if r.IntN(2) == 0 {
			q = q.Limit(1 + r.IntN(10))
		}
		if r.IntN(2) == 0 {
			q = q.Prefetch()
		}
		require.LessOrEqual(t, requestsOf(db, func() { _, _ = q.Collect(t.Context()) }), most)
		found := 0
		for cursor := ""; ; {
			var page query.Page[row]
			var err error
			require.LessOrEqual(t, requestsOf(db, func() { page, err = q.Page(t.Context(), cursor) }), most)
			require.NoError(t, err)
			found += len(page.Items)
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		require.Equal(t, kept, found)
	}
}

func requestsOf(db *ddbtest.DB, f func()) int {
	cost := db.Measure(f)
	return cost.Total("Query") + cost.Total("BatchGetItem")
}
