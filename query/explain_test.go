package query_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// explainer is what every query has.
type explainer interface {
	Explain(assume ...entity.Assumption) (entity.Explanation, error)
}

// What calls would do, without a client: testdata/requests/explain.txt.
func TestExplanations(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	es, in := employees.In(table), employee{CompanyID: "c1"}
	var text strings.Builder
	for _, q := range []explainer{
		query.Of(es, in),
		query.Of(es.Strong(), in).Desc().Limit(25),
		query.On(es, "by-hire", in).Where(attr.During(hiredAt, attr.Month(2026, 8))).Filter(team.Eq("a"), level.Gt(3)),
		query.On(es, "by-level", employee{CompanyID: "c1", Team: "a"}).Where(level.Ge(3)),
		query.As(query.Of(es, in).PageSize(1000), names),
		query.Of(companies.In(table), company{ID: "c1"}).Collection().Prefix("EMP#").Types(employees),
		query.Scan(es).Filter(level.Gt(3)),
		query.ScanTable(table),
	} {
		e, err := q.Explain()
		require.NoError(t, err)
		text.WriteString(e.String() + "\n")
	}
	e, err := query.Of(es, in).Explain(entity.Assumption{Items: 5000, ItemSize: 300})
	require.NoError(t, err)
	text.WriteString(e.String() + "\n")
	whole := &employee{CompanyID: "c1", ID: "e1", HiredAt: day(1), Team: "a", Level: 1}
	x := es.Explain(entity.Assumption{ItemSize: 1500})
	for _, explain := range []func() (entity.Explanation, error){
		func() (entity.Explanation, error) { return x.Get(*whole) },
		func() (entity.Explanation, error) { return x.Create(whole) },
		func() (entity.Explanation, error) { return x.Put(whole, level.Eq(3)) },
		func() (entity.Explanation, error) { return x.Update(*whole, hiredAt.Set(day(2))) },
		func() (entity.Explanation, error) { return x.Upsert(*whole, attr.Named[employee]("extra").Remove()) },
		func() (entity.Explanation, error) { return x.Delete(*whole, level.Eq(3)) },
	} {
		e, err := explain()
		if err != nil {
			text.WriteString(err.Error() + "\n\n")
			continue
		}
		text.WriteString(e.String() + "\n")
	}
	golden := filepath.Join("..", "testdata", "requests", "explain.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}

// What is said to be the cost is the cost, within a unit.
func TestEstimatesHold(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		var last entity.Event
		watched := config
		watched.Observer = func(_ context.Context, ev entity.Event) { last = ev }
		s := entity.NewSchema(watched)
		es := entity.Define[employee](s)
		entity.Define[company](s)
		client := e.Client(t)
		open(t, client)
		table, err := s.Open(client, "people")
		require.NoError(t, err)
		repo := es.In(table)
		near := func(x entity.Explanation, err error) {
			t.Helper()
			require.NoError(t, err)
			require.InDelta(t, last.Capacity.Read, x.Units.Read, 1, "%s", x)
			require.InDelta(t, last.Capacity.Write, x.Units.Write, 1, "%s", x)
		}
		for i := range 300 {
			one := employee{CompanyID: "big", ID: strings.Repeat("x", 900) + string(rune('a'+i%26)) + string(rune('a'+i/26)), HiredAt: day(1 + i%20), Team: "t", Level: i}
			x, err := repo.Explain().Create(&one)
			require.NoError(t, repo.Create(t.Context(), &one))
			near(x, err)
		}
		one := employee{CompanyID: "c1", ID: "e1"}
		_, err = repo.Get(t.Context(), one)
		require.NoError(t, err)
		near(repo.Explain().Get(one))
		_, err = repo.Update(t.Context(), employee{CompanyID: "c1", ID: "e1"}, hiredAt.Set(day(9)))
		require.NoError(t, err)
		near(repo.Explain(entity.Assumption{ItemSize: 200}).Update(employee{CompanyID: "c1", ID: "e1"}, hiredAt.Set(day(9))))
		require.NoError(t, repo.Delete(t.Context(), one))
		near(repo.Explain(entity.Assumption{ItemSize: 200}).Delete(one))

		size := 2300 // of each big one, about
		q := query.Of(repo, employee{CompanyID: "big"})
		_, err = q.Limit(120).Collect(t.Context())
		require.NoError(t, err)
		size = int(last.Capacity.Read * 2 * 4096 / 120)
		for _, q := range []query.Query[employee]{q.Limit(70), q.Limit(1), q.Limit(200).Desc(), query.On(repo, "by-hire", employee{CompanyID: "big"}).Limit(150)} {
			_, err := q.Collect(t.Context())
			require.NoError(t, err)
			near(q.Explain(entity.Assumption{ItemSize: size}))
		}
	})
}
