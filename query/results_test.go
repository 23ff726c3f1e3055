package query_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// name is the name of an employee.
type name struct {
	ID string `dynamodbav:"id"`
}

var names = entity.Project[name](employees)

func TestFirstOneAndCollect(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		q := query.Of(employees.In(table), employee{CompanyID: "c1"})
		first, err := q.First(t.Context())
		require.NoError(t, err)
		require.Equal(t, "e0", first.ID)
		last, err := q.Desc().First(t.Context())
		require.NoError(t, err)
		require.Equal(t, "e4", last.ID)

		_, err = q.Where(employeeID.Eq("nobody")).First(t.Context())
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = q.Where(employeeID.Eq("nobody")).One(t.Context())
		require.ErrorIs(t, err, trestle.ErrNotFound)
		_, err = q.One(t.Context())
		require.ErrorIs(t, err, query.ErrSeveral)
		one, err := q.Where(employeeID.Eq("e3")).One(t.Context())
		require.NoError(t, err)
		require.Equal(t, "e3", one.ID)

		all, err := q.Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"e0", "e1", "e2", "e3", "e4"}, idsOf(all))
		some, err := q.Limit(2).Desc().Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"e4", "e3"}, idsOf(some))
		none, err := query.Of(employees.In(table), employee{CompanyID: "nowhere"}).Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, none)
	})
}

func TestFilteredItemsCostReadUnits(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		q := query.Of(employees.In(table), employee{CompanyID: "c1"}).Filter(level.Ge(9), level.Lt(36))
		all, err := q.Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"e1", "e2", "e3"}, idsOf(all))
		all, err = q.Filter(attr.Or(level.Eq(9), level.Eq(18))).Limit(1).Desc().PageSize(1).Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"e2"}, idsOf(all))
		n, err := q.Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, n)
	})
}

func TestCount(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		newcomer(t, client)
		n, err := query.Of(employees.In(table), employee{CompanyID: "c1"}).PageSize(2).Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 5, n)
		n, err = query.On(employees.In(table), "by-level", employee{CompanyID: "c1", Team: "a#b"}).Where(level.Gt(9)).Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, n)
		n, err = query.Of(companies.In(table), company{ID: "c1"}).Collection().Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 8, n, "the item of an unknown type is one too")
	})
}

func TestAs(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		table, err := schema.Open(client, "people", entity.PlainCursors())
		require.NoError(t, err)
		q := query.As(query.Of(employees.In(table), employee{CompanyID: "c1"}), names)
		all, err := q.Collect(t.Context())
		require.NoError(t, err)
		require.Equal(t, []name{{"e0"}, {"e1"}, {"e2"}, {"e3"}, {"e4"}}, all)
		in, err := q.Input()
		require.NoError(t, err)
		require.NotNil(t, in.ProjectionExpression)
		first, err := query.As(query.Of(employees.In(table), employee{CompanyID: "c1"}).Limit(2), names).Page(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []name{{"e0"}, {"e1"}}, first.Items)
		second, err := query.As(query.Of(employees.In(table), employee{CompanyID: "c1"}).Limit(2), names).Page(t.Context(), first.Next)
		require.NoError(t, err)
		require.Equal(t, []name{{"e2"}, {"e3"}}, second.Items)
	})
}

func TestCollectionByPrefixAndTypes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		newcomer(t, client)
		table, err := schema.Open(client, "people", entity.PlainCursors())
		require.NoError(t, err)
		all := query.Of(companies.In(table), company{ID: "c1"}).Collection()
		kinds := func(c query.Collection) (kinds []string) {
			for _, item := range collect(t, query.Items(t.Context(), c)) {
				kinds = append(kinds, fmt.Sprintf("%T", item))
			}
			return kinds
		}
		five := []string{"query_test.employee", "query_test.employee", "query_test.employee", "query_test.employee", "query_test.employee"}
		require.Equal(t, append(five, "query_test.employeeLog"), kinds(all.Prefix("EMP")))
		require.Equal(t, five, kinds(all.Prefix("EMP#")))
		require.Equal(t, []string{"entity.Raw", five[0]}, kinds(all.Between("BADGE#", "EMP#e0")))
		require.Equal(t, []string{"query_test.employeeLog"}, kinds(all.Between("EMPLOG", "")))
		require.Equal(t, []string{"query_test.company"}, kinds(all.Between("", "A")))
		require.Equal(t, []string{"query_test.company", "query_test.employeeLog"}, kinds(all.Types(companies, logs)))
		require.Equal(t, five[:2], kinds(query.Filter(all, level.Ge(27))))
		require.Equal(t, five[:1], kinds(query.Filter(all.Prefix("EMP#").Types(employees), level.Ge(27), employeeID.Ne("e3"))))

		var got []string
		cursor := ""
		for {
			page, err := query.Of(companies.In(table), company{ID: "c1"}).Limit(3).Collection().Page(t.Context(), cursor)
			require.NoError(t, err)
			for _, item := range page.Items {
				got = append(got, fmt.Sprintf("%T", item))
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		require.Equal(t, kinds(all), got)
	})
}

// First sends one request for one of a thousand items. Breaking a loop ends the read, including a
// prefetched page.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	db := ddbtest.Start(t)
	repo := library0(t, db.Client())
	for n := range 1000 {
		require.NoError(t, repo.Put(t.Context(), &row{Book: "b", N: n, Shelf: "s", Keep: n%100 == 99}))
	}
	requests := func(f func()) int {
		before := len(db.Requests())
		f()
		return len(db.Requests()) - before
	}
	q := query.Of(repo, row{Book: "b"})
	require.Equal(t, 1, requests(func() {
		_, err := q.First(t.Context())
		require.NoError(t, err)
	}))
	in, err := q.Limit(1).Input()
	require.NoError(t, err)
	require.EqualValues(t, 1, *in.Limit)
	breakAfter := func(q query.Query[row], n int) func() {
		return func() {
			for _, err := range q.All(t.Context()) {
				require.NoError(t, err)
				if n--; n == 0 {
					break
				}
			}
		}
	}
	require.Equal(t, 1, requests(breakAfter(q.PageSize(100), 50)))
	require.Equal(t, 2, requests(breakAfter(q.PageSize(100), 150)))
	require.LessOrEqual(t, requests(breakAfter(q.PageSize(100).Prefetch(), 50)), 2)
	require.Equal(t, 10, requests(breakAfter(q.PageSize(100).Prefetch().Limit(1000), 2000)))

	filtered := q.Filter(rowKeep.Eq(true)).PageSize(50)
	require.Equal(t, 2, requests(breakAfter(filtered, 1)), "a page without any is passed over")
	require.Equal(t, 3, requests(func() {
		page, err := filtered.MaxRequests(3).Limit(5).Page(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, 150, page.Scanned)
		require.Equal(t, 3, page.Requests)
		require.NotEmpty(t, page.Next)
		require.Positive(t, page.Capacity.Read)
	}))
	require.Equal(t, 3, requests(func() {
		all, err := filtered.MaxRequests(3).Collect(t.Context())
		require.ErrorIs(t, err, query.ErrBudget)
		require.Len(t, all, 1)
	}))
	_, err = filtered.MaxUnits(0.5).Count(t.Context())
	require.ErrorIs(t, err, query.ErrBudget)
	_, err = filtered.MaxRequests(1).First(t.Context())
	require.ErrorIs(t, err, query.ErrBudget)
	_, err = q.MaxRequests(1).Limit(10).Collect(t.Context())
	require.NoError(t, err, "what was wanted came within the budget")
}

// A cursor is valid only for the read that returned it.
func TestCursorsAreBoundToTheirRead(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	open(t, db.Client())
	at := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	clocked := config
	clocked.Clock = func() time.Time { return at }
	s := entity.NewSchema(clocked)
	es, cs := entity.Define[employee](s), entity.Define[company](s)
	ring := entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}}
	table, err := s.Open(db.Client(), "people", entity.Cursors(ring))
	require.NoError(t, err)
	repo := es.In(table)
	in := employee{CompanyID: "c1"}
	q := query.Of(repo, in).Limit(2)
	page, err := q.Page(t.Context(), "")
	require.NoError(t, err)
	next, err := q.Limit(3).PageSize(1).Page(t.Context(), page.Next)
	require.NoError(t, err, "sizes may change from page to page")
	require.Equal(t, []string{"e2", "e3", "e4"}, idsOf(next.Items))

	bound, err := q.Bind("tenant", "user").Page(t.Context(), "")
	require.NoError(t, err)
	_, err = q.Bind("tenant", "user").Page(t.Context(), bound.Next)
	require.NoError(t, err)
	for name, other := range map[string]query.Query[employee]{
		"direction":     q.Desc(),
		"partition":     query.Of(repo, employee{CompanyID: "c10"}),
		"index":         query.On(repo, "by-hire", in),
		"key condition": q.Where(employeeID.Gt("a")),
		"filter":        q.Filter(level.Ge(9)),
		"operand":       q.Filter(level.Ge(8)),
		"consistency":   query.Of(repo.Strong(), in),
		"binding":       q.Bind("tenant", "other"),
		"part":          q.Bind("tenantuser"),
	} {
		_, err := other.Page(t.Context(), page.Next)
		require.ErrorIs(t, err, query.ErrCursor, name)
		_, err = other.Page(t.Context(), bound.Next)
		require.ErrorIs(t, err, query.ErrCursor, name)
	}
	_, err = query.Of(cs.In(table), company{ID: "c1"}).Collection().Page(t.Context(), page.Next)
	require.ErrorIs(t, err, query.ErrCursor)
	at = at.Add(24*time.Hour + time.Second)
	_, err = q.Page(t.Context(), page.Next)
	require.ErrorIs(t, err, query.ErrCursor)

	unsealed, err := s.Open(db.Client(), "people")
	require.NoError(t, err)
	requests := len(db.Requests())
	_, err = query.Of(es.In(unsealed), in).Page(t.Context(), "")
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Len(t, db.Requests(), requests)
}

func TestInvalidCursorRings(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]entity.TableOption{
		"empty":    entity.Cursors(entity.CursorRing{}),
		"zero key": entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{{}}}),
		"twice":    entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1), cursorKey(1)}}),
		"expiry":   entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}, Expiry: -1}),
		"length":   entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}, MaxLength: 10}),
	} {
		_, err := schema.Open(silent{}, "people", o)
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	sealed, plain := entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}}), entity.PlainCursors()
	for name, options := range map[string][]entity.TableOption{
		"sealed and plain": {sealed, plain}, "plain and sealed": {plain, entity.Timeout(1), sealed}, "sealed twice": {sealed, sealed}, "plain twice": {plain, plain},
	} {
		_, err := schema.Open(silent{}, "people", options...)
		require.ErrorIs(t, err, trestle.ErrInvalid, name)
	}
	key, err := entity.ParseCursorKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	require.NoError(t, err)
	var bytes [32]byte
	for i := range bytes {
		bytes[i] = byte(i)
	}
	client := ddbtest.Start(t).Client()
	open(t, client)
	ring := entity.CursorRing{Keys: []entity.CursorKey{key}}
	cursor := ""
	for _, k := range []entity.CursorKey{key, entity.NewCursorKey(bytes)} {
		table, err := schema.Open(client, "people", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{k}}))
		require.NoError(t, err)
		page, err := query.Of(employees.In(table), employee{CompanyID: "c1"}).Limit(1).Page(t.Context(), cursor)
		require.NoError(t, err)
		cursor = page.Next
	}
	// fmt does not call methods of unexported fields
	hidden := struct{ ring entity.CursorRing }{ring}
	for _, v := range []any{key, &key, ring, hidden, entity.Cursors(ring)} {
		require.NotRegexp(t, `30,? 31|1e,? ?0x1f|1e1f`, fmt.Sprintf("%v %+v %#v %x %s %q %d", v, v, v, v, v, v, v))
	}
	_, err = entity.ParseCursorKey("AAEC")
	require.ErrorIs(t, err, trestle.ErrInvalid)
}

// A query reports all mistakes of its builder at once, together with its own.
func TestInvalidQueries(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people", entity.PlainCursors())
	require.NoError(t, err)
	repo := employees.In(table)
	q := query.Of(repo, employee{CompanyID: "c1"})
	all := q.Collection()
	other := entity.NewSchema(config)
	strangers := entity.Define[badge](other)
	for name, f := range map[string]func() error{
		"limit":         func() error { _, err := q.Limit(0).Input(); return err },
		"page size":     func() error { _, err := q.PageSize(-1).Input(); return err },
		"requests":      func() error { _, err := q.MaxRequests(0).Input(); return err },
		"units":         func() error { _, err := q.MaxUnits(0).Input(); return err },
		"key in filter": func() error { _, err := q.Filter(attr.Named[employee]("PK").Exists()).Input(); return err },
		"nil filter":    func() error { _, err := q.Filter(nil).Input(); return err },
		"prefix":        func() error { _, err := all.Prefix("").Input(); return err },
		"range":         func() error { _, err := all.Between("", "").Input(); return err },
		"reversed":      func() error { _, err := all.Between("b", "a").Input(); return err },
		"narrowed":      func() error { _, err := all.Prefix("a").Prefix("b").Input(); return err },
		"type":          func() error { _, err := all.Types(strangers).Input(); return err },
		"nil type":      func() error { _, err := all.Types(nil).Input(); return err },
		"foreign cond":  func() error { _, err := query.Filter(all, attr.Named[badge]("id").Exists()).Input(); return err },
		"foreign part": func() error {
			_, err := query.As(q, entity.Project[name](entity.Define[employee](other))).Input()
			return err
		},
	} {
		require.ErrorIs(t, f(), trestle.ErrInvalid, name)
	}
}
