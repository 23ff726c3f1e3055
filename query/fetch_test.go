package query_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

func fixed() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// A query that needs attributes which its index lacks is refused before a request is sent. Fetch,
// or a struct of attributes that the index has, makes it possible.
func TestAnIndexThatHoldsLess(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, all := newCrates(t, e.Client(t), fixed(), 20)
		repo := crates.In(table)
		keys, part := cratesOf(repo, "dock", "-keys"), cratesOf(repo, "dock", "-part")
		for name, err := range map[string]error{
			"entities":            second(keys.Collect(t.Context())),
			"some attributes":     second(part.Page(t.Context(), "")),
			"a collection":        second(keys.Collection().Page(t.Context(), "")),
			"a part it lacks":     second(query.As(part, crateMasses).Collect(t.Context())),
			"a filter it lacks":   second(query.As(part.Filter(crateMassOf.Eq(1)), crateNotes).Collect(t.Context())),
			"a count by a filter": second(part.Filter(crateMassOf.Eq(1)).Fetch().Count(t.Context())),
			"a strong read":       second(cratesOf(repo.Strong(), "dock", "-keys").Fetch().Count(t.Context())),
		} {
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
		}
		notes, err := query.As(part, crateNotes).Collect(t.Context())
		require.NoError(t, err, "the index has the note")
		require.Len(t, notes, 20)
		masses, err := query.As(part.Fetch(), crateMasses).Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, masses, 20)
		n, err := keys.Fetch().Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, len(all), n)
		for c, err := range keys.Fetch().All(t.Context()) {
			require.NoError(t, err)
			found, err := repo.Get(t.Context(), crate{ID: c.ID})
			require.NoError(t, err)
			require.Equal(t, found, c)
		}
	})
}

func second[T any](_ T, err error) error { return err }

// Fetch sends nothing more if the index has everything, and nothing for a count.
func TestFetchReadsOnlyWhatTheIndexLacks(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, _ := newCrates(t, db.Client(), fixed(), 20)
	repo := crates.In(table)
	whole, part, keys := cratesOf(repo, "dock", ""), cratesOf(repo, "dock", "-part"), cratesOf(repo, "dock", "-keys")
	for name, c := range map[string]struct {
		requests int
		read     func() error
	}{
		"all attributes": {1, func() error { return second(whole.Fetch().Collect(t.Context())) }},
		"the table":      {1, func() error { return second(query.Of(repo, crate{ID: "001"}).Fetch().Collect(t.Context())) }},
		"a part it has":  {1, func() error { return second(query.As(part.Fetch(), crateNotes).Collect(t.Context())) }},
		"a filter it has": {1, func() error {
			return second(query.As(part.Fetch().Filter(crateText.Exists()), crateNotes).Collect(t.Context()))
		}},
		"a count":  {1, func() error { return second(keys.Fetch().Count(t.Context())) }},
		"no entry": {1, func() error { return second(keys.Fetch().Where(crateRank.Eq(900)).Collect(t.Context())) }},
		"entities": {2, func() error { return second(keys.Fetch().Collect(t.Context())) }},
		"a filter it lack": {2, func() error {
			return second(query.As(part.Fetch().Filter(crateMassOf.Lt(9)), crateNotes).Collect(t.Context()))
		}},
		"strong items": {2, func() error { return second(cratesOf(repo.Strong(), "dock", "").Fetch().Collect(t.Context())) }},
	} {
		require.Equal(t, c.requests, requestsOf(db, func() { require.NoError(t, c.read(), name) }), name)
	}
}

// The items of a collection have their types.
func TestFetchedCollections(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, _ := newCrates(t, e.Client(t), fixed(), 20)
		repo := crates.In(table)
		for _, projection := range []string{"-keys", "-part"} {
			whole, c := cratesOf(repo, "dock", "").Collection(), cratesOf(repo, "dock", projection).Fetch().Collection()
			want := collect(t, query.Items(t.Context(), whole))
			require.Len(t, want, 25)
			require.Equal(t, want, collect(t, query.Items(t.Context(), c)))
			require.Equal(t, want[20:], collect(t, query.Items(t.Context(), c.Prefix("P#"))))
			require.Equal(t, want[20:], collect(t, query.Items(t.Context(), c.Types(pallets))))
			require.Equal(t, collect(t, query.Items(t.Context(), query.Filter(whole, crateMassOf.Ge(2)))), collect(t, query.Items(t.Context(), query.Filter(c, crateMassOf.Ge(2)))))
			var view struct {
				Crates  []crate
				Pallets []pallet
			}
			require.NoError(t, query.Load(t.Context(), c, &view))
			require.Len(t, view.Crates, 20)
			require.Len(t, view.Pallets, 5)
			page, err := c.Page(t.Context(), "")
			require.NoError(t, err)
			require.Equal(t, want, page.Items)
		}
	})
}

// The items are read strongly consistently if the source is strong. The entries of a global index
// are eventually consistent: here, the index lags.
func TestFetchStrongItems(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{})
	table, _ := newCrates(t, db.Client(), fixed(), 10)
	repo := crates.In(table)
	ctx, last := recorded(t)
	for _, c := range []struct {
		source entity.Source[crate]
		units  float64
	}{{repo, 0.5 + 10*0.5}, {repo.Strong(), 0.5 + 10}} {
		found, err := cratesOf(c.source, "dock", "-keys").Fetch().Collect(ctx)
		require.NoError(t, err)
		require.Len(t, found, 10)
		require.InDelta(t, c.units, last.Capacity.Read, 0)
		require.Equal(t, 10, last.Scanned)
		require.Equal(t, 10, last.Items)
		require.Equal(t, 2, last.Requests)
	}
}

// A global index lags: it returns the entries of items that were deleted or moved before the query,
// within their partition or to another one, or that have no key of the index any more.
func TestFetchOnALaggingIndex(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Lag: ddbtest.Lag{Indexes: time.Hour}})
	table, all := newCrates(t, db.Client(), fixed(), 10)
	db.Advance(2 * time.Hour)
	repo := crates.In(table)
	moved, changed, away := *all[1], *all[2], *all[3]
	moved.Rank, changed.Note, away.Dock = 700, "changed", "b"
	require.NoError(t, repo.Delete(t.Context(), *all[0]))
	require.NoError(t, repo.Put(t.Context(), &moved))
	require.NoError(t, repo.Put(t.Context(), &away))
	_, err := db.Client().UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("crates"), Key: map[string]types.AttributeValue{"PK": &avS{Value: "C#" + all[4].ID}, "SK": &avS{Value: "#"}},
		UpdateExpression: aws.String("REMOVE GPK, GSK"),
	})
	require.NoError(t, err)
	require.NoError(t, repo.Put(t.Context(), &changed))
	for _, source := range []entity.Source[crate]{repo, repo.Strong()} {
		page, err := cratesOf(source, "dock", "-keys").Fetch().Page(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, page.Items, 6)
		require.Equal(t, 4, page.Gone)
		require.Contains(t, page.Items, changed)
		page, err = cratesOf(source, "dock", "-part").Fetch().Filter(crateText.Eq(all[2].Note)).Page(t.Context(), "")
		require.NoError(t, err)
		require.NotContains(t, page.Items, changed, "the filter applies to the item")
	}
}

// Page and the observer report the entries whose item is gone.
func TestGoneItemsAreReported(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		plain, all := newCrates(t, client, fixed(), 10)
		deletions := 0
		changing, err := crateSchema.Open(betweenReads{client, func(*dynamodb.BatchGetItemInput) {
			require.NoError(t, crates.In(plain).Delete(t.Context(), *all[deletions]))
			deletions++
		}}, "crates", entity.PlainCursors())
		require.NoError(t, err)
		q := cratesOf(crates.In(changing), "dock", "-keys").Fetch()
		ctx, last := recorded(t)
		page, err := q.Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, page.Items, 9)
		require.Equal(t, 1, page.Gone)
		require.Equal(t, 1, last.Gone)
		require.Equal(t, 10, page.Scanned)

		// A page with a limit reads on, until it has that many items.
		page, err = q.Limit(9).Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, page.Items, 8, "one of nine is deleted")
		require.Equal(t, 1, page.Gone)
		require.Empty(t, page.Next)
		page, err = q.Limit(5).Page(ctx, "")
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(page.Items), 5)
		require.Len(t, page.Items, 5)
	})
}

// A cursor is bound to the filter on the items and to their projection, which no request of the
// index holds, and to Fetch itself.
func TestFetchCursorsAreBound(t *testing.T) {
	t.Parallel()
	table, _ := newCrates(t, ddbtest.Client(t), fixed(), 20)
	q := cratesOf(crates.In(table), "dock", "-keys").Fetch().Limit(2)
	strong := cratesOf(crates.In(table).Strong(), "dock", "-keys").Fetch().Limit(2)
	next := func(q query.Query[crate]) string {
		page, err := q.Page(t.Context(), "")
		require.NoError(t, err)
		require.NotEmpty(t, page.Next)
		return page.Next
	}
	ge := next(q.Filter(crateMassOf.Ge(1)))
	require.NoError(t, second(q.Filter(crateMassOf.Ge(1)).Page(t.Context(), ge)))
	for name, other := range map[string]query.Query[crate]{
		"another operand": q.Filter(crateMassOf.Ge(2)), "no filter": q, "another filter": q.Filter(crateText.Exists()),
		"strong": strong.Filter(crateMassOf.Ge(1)),
	} {
		require.ErrorIs(t, second(other.Page(t.Context(), ge)), query.ErrCursor, name)
	}
	require.ErrorIs(t, second(q.Filter(crateMassOf.Exists()).Page(t.Context(), next(q.Filter(crateText.Exists())))), query.ErrCursor, "another attribute")
	page, err := query.As(q, crateMasses).Page(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, second(query.As(q, crateMasses).Page(t.Context(), page.Next)))
	require.ErrorIs(t, second(query.As(q, crateNotes).Page(t.Context(), page.Next)), query.ErrCursor, "another projection")
	require.ErrorIs(t, second(q.Page(t.Context(), page.Next)), query.ErrCursor, "no projection")
}

// Keys that DynamoDB leaves unprocessed are read again. If it processes none, the query fails after
// the items that were read.
func TestFetchReadsUnprocessedKeysAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		table, _ := newCrates(t, db.Client(), fixed(), 30)
		q := cratesOf(crates.In(table), "dock", "-keys").Fetch()
		want, err := cratesOf(crates.In(table), "dock", "").Collect(t.Context())
		require.NoError(t, err)
		db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(20), ddbtest.First(3))
		found, err := q.Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, found)

		db.ClearFaults()
		db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(100))
		_, err = q.Collect(t.Context())
		var failed *trestle.OpError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "query", failed.Op)
		require.Equal(t, "Keys", failed.Index)
		_, err = q.Page(t.Context(), "")
		require.Error(t, err)

		db.ClearFaults()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = q.Collect(ctx)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// A budget of requests keeps one for the items of each page of entries. One of units ends the read
// after the first batch read, also if keys are unprocessed.
func TestFetchBudgetsOfOnePage(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, _ := newCrates(t, db.Client(), fixed(), 60)
	q := cratesOf(crates.In(table), "dock", "-keys").Fetch().PageSize(10).Limit(50)
	for name, c := range map[string]struct {
		query           query.Query[crate]
		unprocessed     int
		requests, items int // at most that many items if keys are unprocessed
	}{
		"three requests":          {q.MaxRequests(3), 0, 2, 10},
		"four requests":           {q.MaxRequests(4), 0, 4, 20},
		"two requests, some keys": {q.MaxRequests(2), 4, 2, 6},
		"few units":               {q.MaxUnits(0.1), 0, 2, 10},
		"few units, some keys":    {q.MaxUnits(0.1), 4, 2, 6},
		"units for two pages":     {q.MaxUnits(7), 0, 4, 20},
	} {
		db.ClearFaults()
		if c.unprocessed > 0 {
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(c.unprocessed))
		}
		var page query.Page[crate]
		var err error
		require.Equal(t, c.requests, requestsOf(db, func() { page, err = c.query.Page(t.Context(), "") }), name)
		require.NoError(t, err, name)
		require.LessOrEqual(t, len(page.Items), c.items, name)
		if c.unprocessed == 0 {
			require.Len(t, page.Items, c.items, name)
		}
	}
}

// A budget counts the batch reads. A page always makes progress, and the cursor continues after the
// last item that was returned.
func TestFetchBudgets(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	db := ddbtest.Start(t, ddbtest.Options{Seed: r.Uint64()})
	table, _ := newCrates(t, db.Client(), r, 150)
	repo := crates.In(table)
	require.ErrorIs(t, second(cratesOf(repo, "dock", "-keys").Fetch().MaxRequests(1).Page(t.Context(), "")), trestle.ErrInvalid)
	require.ErrorIs(t, second(cratesOf(repo, "shard", "-keys").Fetch().MaxRequests(4).Page(t.Context(), "")), trestle.ErrInvalid)
	for range testsize.Sequential(8, 20, 30, 1000) {
		group := pick(r, "dock", "shard", "day")
		least := 2
		if group == "shard" {
			least = 5
		}
		most := least + r.IntN(4)
		q, whole := cratesOf(repo, group, "-keys").Fetch().PageSize(1+r.IntN(60)), cratesOf(repo, group, "")
		if r.IntN(2) == 0 {
			q, whole = q.Filter(crateMassOf.Ge(2)), whole.Filter(crateMassOf.Ge(2))
		}
		want, err := whole.Collect(t.Context())
		require.NoError(t, err)
		if r.IntN(2) == 0 {
			q = q.MaxRequests(most)
		} else {
			q, most = q.MaxUnits(0.5+4*r.Float64()), 1000
		}
		if r.IntN(2) == 0 {
			q = q.Limit(1 + r.IntN(200))
		}
		db.ClearFaults()
		if r.IntN(2) == 0 {
			db.Fail(ddbtest.Op("BatchGetItem"), ddbtest.Unprocessed(1+r.IntN(5)), ddbtest.Every(2))
		}
		var got []crate
		pages := 0
		for cursor := ""; ; pages++ {
			require.Less(t, pages, 400, "each page makes progress")
			var page query.Page[crate]
			require.LessOrEqual(t, requestsOf(db, func() { page, err = q.Page(t.Context(), cursor) }), most)
			require.NoError(t, err)
			got = append(got, page.Items...)
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		require.Equal(t, want, got)
	}
}
