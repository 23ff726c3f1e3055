package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// Explain describes both parts of a query with Fetch.
func TestExplainOfFetch(t *testing.T) {
	t.Parallel()
	db := openCrates(t, ddbtest.Client(t))
	repo := crates.In(db)
	e, err := cratesOf(repo.Strong(), "dock", "-part").Fetch().Filter(crateText.Exists(), crateMassOf.Ge(2)).Limit(30).
		Explain(trestle.Assumption{Items: 50, ItemSize: 5000, EntrySize: 100})
	require.NoError(t, err)
	require.Equal(t, strings.TrimPrefix(`
query crate dock-part
  table      crates
  index      Part
  key        GPK = D#<dock> AND GSK BETWEEN ? AND ?
  filter     attribute_exists(note) AND note <> ?
  reads      eventually consistent
  bounds     Limit 30
  fetches    the items of the entries, by their keys, strongly consistent
  filter     (attribute_exists(note) AND note <> ?) AND (mass >= ?), on the fetched items
  estimate   1 read unit for 50 entries of 100 bytes, 100 read units for their items of 5000 bytes (assumed)
`, "\n"), e.String())
	require.InDelta(t, 100, e.FetchUnits.Read, 0)
	require.InDelta(t, 101, e.Units.Read, 0)

	e, err = query.As(cratesOf(repo, "dock", "-keys").Fetch(), crateMasses).Explain()
	require.NoError(t, err)
	require.Equal(t, "GPK, GSK, PK, SK, _type, mass", e.Projection)
	e, err = cratesOf(repo, "dock", "").Fetch().Explain()
	require.NoError(t, err)
	require.Empty(t, e.Fetch, "the index has everything")
	require.Zero(t, e.FetchUnits)
}

// The estimate for entries and items of their real sizes is within one read unit of the cost for
// each request of the index.
func TestExplainedCostOfFetch(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := openCrates(t, e.Client(t))
		require.NoError(t, table.Create(t.Context()))
		repo := crates.In(table)
		for _, size := range []int{10, 4200, 9000} {
			for i := range 30 {
				c := crate{ID: string(rune('a' + i)), Dock: "a", Rank: 1, At: day(1), Note: strings.Repeat("n", size)}
				require.NoError(t, repo.Put(t.Context(), &c))
			}
			for _, c := range []struct {
				source entity.Source[crate]
				limit  int
				size   int
			}{{repo, 100, 100}, {repo.Strong(), 100, 100}, {repo, 7, 100}, {repo, 100, 4}, {repo, 20, 3}} {
				q := cratesOf(c.source, "dock", "-keys").Fetch().Limit(c.limit).PageSize(c.size)
				ctx, last := recorded(t)
				found, err := q.Collect(ctx)
				require.NoError(t, err)
				x, err := q.Explain(trestle.Assumption{Items: 30, ItemSize: size + 250, EntrySize: 100})
				require.NoError(t, err)
				require.Equal(t, len(found), x.Assumed.Items)
				require.InDelta(t, last.Capacity.Read, x.Units.Read, max(1, float64(last.Requests)/2), "%d bytes: %s", size, x)
			}
		}
	})
}

// The budgets of an estimate include the batch reads.
func TestExplainedBudgetsOfFetch(t *testing.T) {
	t.Parallel()
	table, _ := newCrates(t, ddbtest.Client(t), fixed(), 200)
	q := cratesOf(crates.In(table), "dock", "-keys").Fetch()
	for name, bounded := range map[string]query.Query[crate]{
		"requests": q.MaxRequests(2), "more requests": q.MaxRequests(4).PageSize(20), "units": q.MaxUnits(20).PageSize(10), "few units": q.MaxUnits(1).PageSize(10),
	} {
		ctx, last := recorded(t)
		_, err := bounded.Collect(ctx)
		require.ErrorIs(t, err, query.ErrBudget, name)
		x, err := bounded.Explain(trestle.Assumption{Items: 200, ItemSize: 250, EntrySize: 100})
		require.NoError(t, err)
		require.Equal(t, last.Scanned, x.Assumed.Items, name)
		require.InDelta(t, last.Capacity.Read, x.Units.Read, 1, name)
	}
}
