package query_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// Items come in the order asked for, those that come again too, over the bounds of a request.
func TestGetManyKeepsTheOrder(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		repo := library0(t, e.Client(t))
		for n := range 130 {
			require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: 2 * n, Shelf: "s"}))
		}
		var examples []row
		for range 250 {
			examples = append(examples, row{Book: "b", N: rand.IntN(260)})
		}
		found, err := repo.GetMany(t.Context(), examples)
		require.NoError(t, err)
		require.Len(t, found, len(examples))
		for i, f := range found {
			if examples[i].N%2 == 1 {
				require.Nil(t, f)
				continue
			}
			require.Equal(t, row{Book: "b", N: examples[i].N, Shelf: "s"}, *f)
		}
		none, err := repo.GetMany(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, none)
		_, err = repo.GetMany(t.Context(), []row{{N: 1}, {Book: "b"}, {}})
		require.ErrorIs(t, err, entity.ErrInvalid)
	})
}

func TestGetManyOfSeveralTypes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		books := library0(t, client)
		require.NoError(t, books.Put(t.Context(), &row{Book: "b", N: 1, Shelf: "s"}))
		found, err := query.GetMany(t.Context(),
			query.Key(employees.In(table), employee{CompanyID: "c1", ID: "e1"}),
			query.Key(companies.In(table), company{ID: "nobody"}),
			query.Key(books, row{Book: "b", N: 1}),
			query.Key(companies.In(table), company{ID: "c1"}),
			query.Key(employees.In(table), employee{CompanyID: "c1", ID: "e1"}))
		require.NoError(t, err)
		require.Equal(t, "e1", found[0].(employee).ID)
		require.Nil(t, found[1])
		require.Equal(t, row{Book: "b", N: 1, Shelf: "s"}, found[2])
		require.Equal(t, company{ID: "c1", Name: "Acme"}, found[3])
		require.Equal(t, found[0], found[4])
		_, err = query.GetMany(t.Context(), query.Key(companies.In(table).Strong(), company{ID: "a"}), query.Key(companies.In(table), company{ID: "b"}), query.Lookup{})
		require.ErrorIs(t, err, entity.ErrInvalid)

		parts, err := names.GetMany(t.Context(), employees.In(table), []employee{{CompanyID: "c1", ID: "e2"}, {CompanyID: "c1", ID: "e9"}})
		require.NoError(t, err)
		require.Equal(t, []*name{{"e2"}, nil}, parts)
	})
}

// Whatever the service leaves unprocessed, all of it forever included, everything is read or reported, with bounded calls and pauses that take no
// real time. The negative control asks once.
func TestGetManyReadsOrReports(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	runs := testsize.Pick(100, 2000)
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 0))
		db := ddbtest.Start(t, ddbtest.Options{Seed: seed})
		repo := library0(t, db.Client())
		for n := range 300 {
			require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: n, Shelf: "s"}))
		}
		complete, partly := 0, 0
		for range runs {
			db.ClearFaults()
			switch r.IntN(4) {
			case 0:
				db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.UnprocessedRate(0.1+0.9*r.Float64()))
			case 1:
				db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(ddbtest.All), ddbtest.First(r.IntN(12)+1))
			case 2:
				db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(ddbtest.All))
			case 3:
				db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(1+r.IntN(99)), ddbtest.Every(1+r.IntN(3)))
			}
			var examples []row
			for range r.IntN(300) + 1 {
				examples = append(examples, row{Book: "b", N: r.IntN(300)})
			}
			before := len(db.Requests())
			found, err := repo.GetMany(t.Context(), examples)
			require.LessOrEqual(t, len(db.Requests())-before, 8*300+3)
			missing := 0
			for _, f := range found {
				if f == nil {
					missing++
				}
			}
			var left *entity.UnprocessedError[row]
			if err == nil {
				complete++
				require.Zero(t, missing)
				continue
			}
			partly++
			require.ErrorAs(t, err, &left)
			require.Len(t, left.Items, missing)
			require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, left), "Shelf")
			var op *entity.OpError
			require.ErrorAs(t, err, &op)
		}
		t.Logf("%d complete, %d in part", complete, partly)
		require.Positive(t, complete)
		require.Positive(t, partly)
	})
}
