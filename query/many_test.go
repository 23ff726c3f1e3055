package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// GetMany returns items in the order of the request, including repeated ones, across the limit of
// one request.
func TestGetManyKeepsTheOrder(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		repo := library0(t, e.Client(t))
		for n := range 130 {
			require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: 2 * n, Shelf: "s"}))
		}
		r := testrand.New(t)
		var examples []row
		for range 250 {
			examples = append(examples, row{Book: "b", N: r.IntN(260)})
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
		require.ErrorIs(t, err, trestle.ErrInvalid)
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
			query.Ref(employees.In(table), employee{CompanyID: "c1", ID: "e1"}),
			query.Ref(companies.In(table), company{ID: "nobody"}),
			query.Ref(books, row{Book: "b", N: 1}),
			query.Ref(companies.In(table), company{ID: "c1"}),
			query.Ref(employees.In(table), employee{CompanyID: "c1", ID: "e1"}))
		require.NoError(t, err)
		require.Equal(t, "e1", found[0].(employee).ID)
		require.Nil(t, found[1])
		require.Equal(t, row{Book: "b", N: 1, Shelf: "s"}, found[2])
		require.Equal(t, company{ID: "c1", Name: "Acme"}, found[3])
		require.Equal(t, found[0], found[4])
		_, err = query.GetMany(t.Context(), query.Ref(companies.In(table).Strong(), company{ID: "a"}), query.Ref(companies.In(table), company{ID: "b"}), query.ItemRef{})
		require.ErrorIs(t, err, trestle.ErrInvalid)

		parts, err := names.GetMany(t.Context(), employees.In(table), []employee{{CompanyID: "c1", ID: "e2"}, {CompanyID: "c1", ID: "e9"}})
		require.NoError(t, err)
		require.Equal(t, []*name{{"e2"}, nil}, parts)
	})
}

var wholeRows = entity.Project[row](rows)

// GetMany sends chunks of 100 keys and each key once. It sends nothing for no keys. A strongly
// consistent read costs twice the units.
func TestGetManyAsksForEachKeyOnce(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	repo := library0(t, db.Client())
	for n := range 101 {
		require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: n, Shelf: "s"}))
	}
	for _, c := range []struct{ examples, keys, requests int }{
		{0, 1, 0}, {1, 1, 1}, {99, 99, 1}, {100, 100, 1}, {101, 101, 2}, {200, 100, 1}, {200, 101, 2}, {500, 1, 1}, {250, 250, 3},
	} {
		examples := make([]row, c.examples)
		for i := range examples {
			examples[i] = row{Book: "b", N: i % c.keys}
		}
		for _, s := range []struct {
			source entity.Source[row]
			units  float64
		}{{repo, 0.5}, {repo.Strong(), 1}} {
			var err error
			cost := db.Measure(func() {
				_, err = wholeRows.GetMany(t.Context(), s.source, examples)
				require.NoError(t, err)
			})
			require.Equal(t, c.requests, cost.Total(), "%+v", c)
			require.Equal(t, c.requests, cost.Total("BatchGetItem"))
			require.InDelta(t, s.units*float64(min(c.keys, c.examples)), cost.ReadUnits, 0, "%+v", c)
		}
	}
	cost := db.Measure(func() {
		found, err := query.GetMany(t.Context())
		require.NoError(t, err)
		require.Empty(t, found)
	})
	require.Zero(t, cost.Total())
}

// A batch may use several tables, whose keys share requests. It must not use several clients.
func TestGetManyOfSeveralTables(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	client := db.Client()
	people, books := open(t, client), library0(t, client)
	require.NoError(t, books.Put(t.Context(), &row{Book: "b", N: 1}))
	var refs []query.ItemRef
	for n := range 60 {
		refs = append(refs, query.Ref(books, row{Book: "b", N: n}), query.Ref(employees.In(people).Strong(), employee{CompanyID: "c1", ID: fmt.Sprintf("e%d", n)}))
	}
	cost := db.Measure(func() {
		found, err := query.GetMany(t.Context(), refs...)
		require.NoError(t, err)
		for i, f := range found {
			switch {
			case i == 2:
				require.Equal(t, row{Book: "b", N: 1}, f)
			case i%2 == 1 && i < 10:
				require.Equal(t, fmt.Sprintf("e%d", i/2), f.(employee).ID)
			default:
				require.Nil(t, f)
			}
		}
	})
	require.Equal(t, 2, cost.Total())
	require.InDelta(t, 30, cost.Tables["library"].Read, 0)
	require.InDelta(t, 60, cost.Tables["people"].Read, 0, "of one table all are read strongly")
	other := library0(t, ddbtest.Client(t))
	_, err := query.GetMany(t.Context(), query.Ref(books, row{Book: "b"}), query.Ref(other, row{Book: "b"}))
	require.ErrorIs(t, err, trestle.ErrInvalid)
}

// An item that cannot be decoded does not affect other items. GetMany returns the items that were
// read. The error contains the bad item and the keys that were not requested.
func TestGetManyReportsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		repo := library0(t, client)
		var examples []row
		var all []*row
		for n := range 250 {
			examples = append(examples, row{Book: "b", N: n})
			if n%10 != 7 {
				all = append(all, &row{Book: "b", N: n, Shelf: "s"})
			}
		}
		putAll(t, client, all)
		examples = append(examples, examples[150], examples[3], examples[240])
		for _, n := range []int{150, 160} {
			bad, err := rows.Encode(&row{Book: "b", N: n, Shelf: "s"})
			require.NoError(t, err)
			bad["shelf"] = &types.AttributeValueMemberNS{Value: []string{"1"}}
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("library"), Item: bad})
			require.NoError(t, err)
		}
		found, err := repo.GetMany(t.Context(), examples)
		var left *trestle.UnprocessedError
		require.ErrorAs(t, err, &left)
		want := []row{examples[150], examples[160], examples[150]} // in all three requests
		require.Equal(t, want, trestle.Unprocessed[row](err))
		for i, f := range found {
			n := examples[i].N
			if n == 150 || n == 160 || n%10 == 7 {
				require.Nil(t, f)
				continue
			}
			require.Equal(t, row{Book: "b", N: n, Shelf: "s"}, *f)
		}
		var failed *trestle.OpError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "get many", failed.Op)
		require.NotEmpty(t, failed.Key, "which item it is")
		require.NotErrorIs(t, err, trestle.ErrInvalid, "the call was right")

		refs := make([]query.ItemRef, len(examples))
		for i, one := range examples {
			refs[i] = query.Ref(repo, one)
		}
		mixed, err := query.GetMany(t.Context(), refs...)
		var anyLeft *trestle.UnprocessedError
		require.ErrorAs(t, err, &anyLeft)
		require.Len(t, trestle.Unprocessed[any](err), len(want))
		for i, one := range want {
			require.Equal(t, one, trestle.Unprocessed[any](err)[i])
		}
		for i, f := range found {
			if f == nil {
				require.Nil(t, mixed[i])
				continue
			}
			require.Equal(t, *f, mixed[i])
		}
	})
}

// GetMany reports all mistakes with their positions, before it sends a request.
func TestGetManyErrorsNamePositions(t *testing.T) {
	t.Parallel()
	table, err := library.Open(silent{}, "library")
	require.NoError(t, err)
	places := func(err error) (places []string) {
		var r *errs.ValidationError
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.ErrorAs(t, err, &r)
		for _, p := range r.Problems {
			places = append(places, p.Field)
		}
		return places
	}
	good, bad := row{Book: "b", N: 1}, row{Book: "", N: 1}
	_, err = rows.In(table).GetMany(t.Context(), []row{good, good, good, bad, good, bad})
	require.Equal(t, []string{"examples[3].book", "examples[5].book"}, places(err))
	_, err = query.GetMany(t.Context(), query.Ref(rows.In(table), good), query.ItemRef{}, query.Ref(rows.In(table), bad), query.Ref(rows.In(table).Strong(), good))
	require.Equal(t, []string{"refs[1]", "refs[2].book", "refs[3]"}, places(err))
}

// once requests each key once, 100 per request, and does not retry unprocessed keys.
func once(t *testing.T, client *dynamodb.Client, examples []row) (found int) {
	t.Helper()
	for chunk := range slices.Chunk(examples, 100) {
		var keys []map[string]types.AttributeValue
		for _, e := range chunk {
			key, err := rows.KeyOf(e)
			require.NoError(t, err)
			keys = append(keys, key)
		}
		out, err := client.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"library": {Keys: keys}}})
		require.NoError(t, err)
		found += len(out.Responses["library"])
	}
	return found
}

// Every item is read or reported, whatever keys the service leaves unprocessed, even if it
// processes none. The number of calls is bounded, and the pauses take no real time. The negative
// control does not retry.
func TestGetManyReadsOrReports(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	var of outcomes
	for range testsize.Pick(1, 4, 100) { // one database each, because a database records its requests
		synctest.Test(t, func(t *testing.T) { of.batches(t, r, 100) })
	}
	t.Logf("%d complete, %d in part; who asks once loses items without a word %d times", of.complete, of.partly, of.silent)
	require.Positive(t, of.complete)
	require.Positive(t, of.partly)
	require.Positive(t, of.silent, "the negative control")
}

// outcomes counts batch reads: those that read everything, those that reported unprocessed keys,
// and those for which a read without retries would have lost items.
type outcomes struct{ complete, partly, silent int }

// batches runs a number of reads of random keys. The service leaves some of them unprocessed.
func (of *outcomes) batches(t *testing.T, r *rand.Rand, runs int) {
	t.Helper()
	db := ddbtest.Start(t, ddbtest.Options{Seed: r.Uint64()})
	client := db.Client()
	repo := library0(t, client)
	for n := range 300 {
		require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: n, Shelf: "s"}))
	}
	for range runs {
		db.ClearFaults()
		switch r.IntN(4) {
		case 0:
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.UnprocessedRate(0.1+0.9*r.Float64()))
		case 1:
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(100), ddbtest.First(r.IntN(12)+1))
		case 2:
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(100))
		case 3:
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(1+r.IntN(99)), ddbtest.Every(1+r.IntN(3)))
		}
		var examples []row
		for range r.IntN([]int{300, 40, 40, 40, 40}[r.IntN(5)]) + 1 {
			examples = append(examples, row{Book: "b", N: r.IntN(300)})
		}
		before := len(db.Requests())
		found, err := repo.GetMany(t.Context(), examples)
		require.LessOrEqual(t, len(db.Requests())-before, 8*300+3)
		if distinct := slices.CompactFunc(sortedRows(examples), func(a, b row) bool { return a.N == b.N }); once(t, client, distinct) < len(distinct) {
			of.silent++
		}
		of.answered(t, examples, found, err)
	}
}

// answered checks that every item that was not read is reported.
func (of *outcomes) answered(t *testing.T, examples []row, found []*row, err error) {
	t.Helper()
	var missing []row
	for i, f := range found {
		if f == nil {
			missing = append(missing, examples[i])
			continue
		}
		require.Equal(t, row{Book: "b", N: examples[i].N, Shelf: "s"}, *f)
	}
	if err == nil {
		of.complete++
		require.Empty(t, missing)
		return
	}
	of.partly++
	var left *trestle.UnprocessedError
	require.ErrorAs(t, err, &left)
	require.Equal(t, missing, trestle.Unprocessed[row](err))
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, left), "Shelf")
	var op *trestle.OpError
	require.ErrorAs(t, err, &op)
}

func sortedRows(rows []row) []row {
	return slices.SortedFunc(slices.Values(rows), func(a, b row) int { return a.N - b.N })
}
