package query_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// A typed read returns only items of its type and partition. It reads no neighbor items, and no
// partition whose key has the same prefix.
func TestOfReadsOneTypeOfOnePartition(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		got := collect(t, query.Of(employees.In(table), employee{CompanyID: "c1"}).All(t.Context()))
		require.Equal(t, []string{"e0", "e1", "e2", "e3", "e4"}, idsOf(got))
		for _, e := range got {
			require.Equal(t, "c1", e.CompanyID)
			require.True(t, e.HiredAt.Equal(e.HiredAt.UTC().Truncate(24*time.Hour)))
		}
		require.Len(t, collect(t, query.Of(logs.In(table), employeeLog{CompanyID: "c10"}).All(t.Context())), 1)
		require.Len(t, collect(t, query.Of(companies.In(table), company{ID: "c1"}).All(t.Context())), 1)
		require.Empty(t, collect(t, query.Of(employees.In(table), employee{CompanyID: "c"}).All(t.Context())))
	})
}

func TestWhereNarrowsTheSortKey(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		access string
		where  []attr.KeyCond[employee]
		want   []string
	}{
		{"eq", "", []attr.KeyCond[employee]{employeeID.Eq("e3")}, []string{"e3"}},
		{"eq of none", "", []attr.KeyCond[employee]{employeeID.Eq("e")}, nil},
		{"begins with", "", []attr.KeyCond[employee]{attr.BeginsWith(employeeID, "e")}, []string{"e0", "e1", "e2", "e3", "e4"}},
		{"begins with the whole", "", []attr.KeyCond[employee]{attr.BeginsWith(employeeID, "e4")}, []string{"e4"}},
		{"greater", "", []attr.KeyCond[employee]{employeeID.Gt("e3")}, []string{"e4"}},
		{"less or equal", "", []attr.KeyCond[employee]{employeeID.Le("e1")}, []string{"e0", "e1"}},
		{"between", "", []attr.KeyCond[employee]{employeeID.Between("e1", "e2")}, []string{"e1", "e2"}},
		{"index, first part", "by-hire", []attr.KeyCond[employee]{hiredAt.Eq(day(2))}, []string{"e2", "e3"}},
		{"index, both parts in any order", "by-hire", []attr.KeyCond[employee]{employeeID.Eq("e3"), hiredAt.Eq(day(2))}, []string{"e3"}},
		{"index, open last part", "by-hire", []attr.KeyCond[employee]{hiredAt.Eq(day(1)), employeeID.Gt("e0")}, []string{"e1"}},
		{"a day", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Day(2026, 8, 2))}, []string{"e2", "e3"}},
		{"two days", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Period{Start: day(1), End: day(3)})}, []string{"e0", "e1", "e2", "e3"}},
		{"a month", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Month(2026, 8))}, []string{"e0", "e1", "e2", "e3", "e4"}},
		{"the month before", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Month(2026, 7))}, nil},
		{"a year", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Year(2026))}, []string{"e0", "e1", "e2", "e3", "e4"}},
		{"the year after", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Year(2027))}, nil},
		{"an empty period", "by-hire", []attr.KeyCond[employee]{attr.During(hiredAt, attr.Period{Start: day(2), End: day(2)})}, nil},
		{"since", "by-hire", []attr.KeyCond[employee]{attr.Since(hiredAt, day(2))}, []string{"e2", "e3", "e4"}},
		{"before", "by-hire", []attr.KeyCond[employee]{attr.Before(hiredAt, day(2))}, []string{"e0", "e1"}},
		{"index, nothing asked", "by-hire", nil, []string{"e0", "e1", "e2", "e3", "e4"}},
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				q := query.Of(employees.In(table), employee{CompanyID: "c1"})
				if c.access != "" {
					q = query.On(employees.In(table), c.access, employee{CompanyID: "c1"})
				}
				require.Equal(t, c.want, idsOf(collect(t, q.Where(c.where...).All(t.Context()))))
			})
		}
	})
}

// An index of several native attributes sorts numbers by value and supports conditions from left to
// right.
func TestOnMultiAttributeIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		q := query.On(employees.In(table), "by-level", employee{CompanyID: "c1", Team: "a#b"})
		require.Equal(t, []string{"e1", "e2", "e3", "e4"}, idsOf(collect(t, q.All(t.Context()))), "e0 has no level, and is not on the index")
		require.Equal(t, []string{"e2"}, idsOf(collect(t, q.Where(level.Eq(18)).All(t.Context()))))
		require.Equal(t, []string{"e2"}, idsOf(collect(t, q.Where(level.Eq(18), attr.BeginsWith(employeeID, "e")).All(t.Context()))))
		require.Equal(t, []string{"e1", "e2"}, idsOf(collect(t, q.Where(level.Lt(27)).All(t.Context()))))
	})
}

// Deriving a query from another does not change the other query.
func TestQueriesAreImmutable(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		base := query.On(employees.In(table), "by-hire", employee{CompanyID: "c1"}).Where(hiredAt.Eq(day(1)))
		first := base.Where(employeeID.Eq("e0"))
		second := base.Where(employeeID.Eq("e1"))
		require.Equal(t, []string{"e0"}, idsOf(collect(t, first.All(t.Context()))))
		require.Equal(t, []string{"e1"}, idsOf(collect(t, second.All(t.Context()))))
		require.Equal(t, []string{"e0", "e1"}, idsOf(collect(t, base.All(t.Context()))))
	})
}

// All reads page after page to the end. Breaking the loop ends the read at the current page.
func TestAllSendsOneRequestPerPage(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		pages := 0
		client := e.Client(t)
		open(t, client)
		table, err := schema.Open(paged{client, 2, &pages}, "people")
		require.NoError(t, err)
		q := query.Of(employees.In(table), employee{CompanyID: "c1"})
		require.Len(t, collect(t, q.All(t.Context())), 5)
		require.Equal(t, 3, pages)

		pages = 0
		for e, err := range q.All(t.Context()) {
			require.NoError(t, err)
			if e.ID == "e2" {
				break
			}
		}
		require.Equal(t, 2, pages)

		pages = 0
		var view struct {
			Company   company
			Employees []*employee
			Logs      []employeeLog
		}
		require.NoError(t, query.Load(t.Context(), query.Of(companies.In(table), company{ID: "c1"}).Collection(), &view))
		require.Len(t, view.Employees, 5)
		require.Equal(t, 4, pages)
	})
}

// All mistakes in a query are reported at once, before it sends a request.
func TestInvalidQueriesAreNotSent(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	repo := employees.In(table)
	in := employee{CompanyID: "c1"}
	for name, q := range map[string]query.Query[employee]{
		"no partition":                 query.Of(repo, employee{}),
		"sort member in the example":   query.Of(repo, employee{CompanyID: "c1", ID: "e1"}),
		"not in the sort key":          query.Of(repo, in).Where(hiredAt.Eq(day(1))),
		"not in the example":           query.On(repo, "by-level", employee{CompanyID: "c1"}).Where(team.Eq("x")),
		"the partition key, twice":     query.On(repo, "by-level", employee{CompanyID: "c1", Team: "x"}).Where(team.Ge("x"), team.Le("x")),
		"the partition key, reversed":  query.On(repo, "by-level", employee{CompanyID: "c1", Team: "x"}).Where(team.Between("y", "x")),
		"gap":                          query.On(repo, "by-hire", in).Where(employeeID.Eq("e1")),
		"after an open one":            query.On(repo, "by-hire", in).Where(hiredAt.Gt(day(1)), employeeID.Eq("e1")),
		"gap between attributes":       query.On(repo, "by-level", employee{CompanyID: "c1", Team: "x"}).Where(employeeID.Eq("e1")),
		"twice":                        query.Of(repo, in).Where(employeeID.Ge("a"), employeeID.Le("b")),
		"a time that a day cannot say": query.On(repo, "by-hire", in).Where(hiredAt.Eq(day(1).Add(time.Second))),
		"a period of hours":            query.On(repo, "by-hire", in).Where(attr.During(hiredAt, attr.Period{Start: day(1), End: day(2).Add(time.Hour)})),
		"a month of another place":     query.On(repo, "by-hire", in).Where(attr.During(hiredAt, attr.Month(2026, 8).In(east))),
		"a reversed period":            query.On(repo, "by-hire", in).Where(attr.During(hiredAt, attr.Period{Start: day(2), End: day(1)})),
		"a period without a start":     query.On(repo, "by-hire", in).Where(attr.During(hiredAt, attr.Period{End: day(1)})),
		"after a period":               query.On(repo, "by-hire", in).Where(attr.During(hiredAt, attr.Month(2026, 8)), employeeID.Eq("e1")),
		"since and before":             query.On(repo, "by-hire", in).Where(attr.Since(hiredAt, day(1)), attr.Before(hiredAt, day(2))),
		"reversed bounds":              query.Of(repo, in).Where(employeeID.Between("b", "a")),
		"unknown access pattern":       query.On(repo, "by-hare", in),
		"unnamed access pattern":       query.On(repo, "", in),
		"strong on a global index":     query.On(repo.Strong(), "by-hire", in),
		"absent operand":               query.Of(repo, in).Where(employeeID.Eq("")),
		"nil condition":                query.Of(repo, in).Where(nil),
		"no table":                     query.Of(&entity.Repo[employee]{}, in),
		"nothing at all":               {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for _, err := range q.All(t.Context()) {
				n++
				require.ErrorIs(t, err, trestle.ErrInvalid)
				var op *trestle.OpError
				require.ErrorAs(t, err, &op)
				require.Equal(t, trestle.NoWrite, op.Outcome)
			}
			require.Equal(t, 1, n)
			_, err := q.Input()
			require.ErrorIs(t, err, trestle.ErrInvalid)
		})
	}
}

func TestServiceErrorsAreReturned(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := schema.Open(e.Client(t), "nowhere")
		require.NoError(t, err)
		for _, err := range query.Of(employees.In(table), employee{CompanyID: "c1"}).All(t.Context()) {
			var op *trestle.OpError
			require.ErrorAs(t, err, &op)
			require.NotEmpty(t, op.RequestID)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, err := range query.Items(ctx, query.Of(employees.In(table), employee{CompanyID: "c1"}).Collection()) {
			require.ErrorIs(t, err, context.Canceled)
		}
	})
}

// Strong makes the read of a table strongly consistent, which doubles its cost.
func TestStrongReads(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	in, err := query.Of(employees.In(table).Strong(), employee{CompanyID: "c1"}).Input()
	require.NoError(t, err)
	require.True(t, *in.ConsistentRead)
	in, err = query.Of(employees.In(table), employee{CompanyID: "c1"}).Input()
	require.NoError(t, err)
	require.Nil(t, in.ConsistentRead)
}

// silent is a client that must not be called.
type silent struct{ trestle.Client }
