package query_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// explainer is implemented by every query.
type explainer interface {
	Explain(assume ...trestle.Assumption) (trestle.Explanation, error)
}

// The golden file testdata/requests/explain.txt contains explanations of calls. The test needs no
// client.
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
		query.Of(es, in).Where(employeeID.Eq("e1")),
		query.Of(es, in).Filter(level.Gt(3)).PageSize(10).MaxRequests(3).MaxUnits(2.5),
		query.ScanTable(table).MaxRequests(3),
	} {
		e, err := q.Explain()
		require.NoError(t, err)
		text.WriteString(e.String() + "\n")
	}
	e, err := query.Of(es, in).Explain(trestle.Assumption{Items: 5000, ItemSize: 300})
	require.NoError(t, err)
	text.WriteString(e.String() + "\n")
	whole := &employee{CompanyID: "c1", ID: "e1", HiredAt: day(1), Team: "a", Level: 1}
	x, assumed := es.Op(), trestle.Assumption{ItemSize: 1500}
	for _, explain := range []func() (trestle.Explanation, error){
		func() (trestle.Explanation, error) { return x.Get(*whole).Explain(assumed) },
		func() (trestle.Explanation, error) { return x.Create(whole).Explain(assumed) },
		func() (trestle.Explanation, error) { return x.Put(whole, level.Eq(3)).Explain(assumed) },
		func() (trestle.Explanation, error) { return x.Update(*whole, hiredAt.Set(day(2))).Explain(assumed) },
		func() (trestle.Explanation, error) { return x.Update(*whole, level.Remove()).Explain(assumed) },
		func() (trestle.Explanation, error) { return x.Overwrite(whole, level.Eq(3)).Explain(assumed) },
		func() (trestle.Explanation, error) {
			return x.Update(employee{CompanyID: "c1", ID: "e1"}, hiredAt.Set(day(2)), team.Remove()).Explain(assumed)
		},
		func() (trestle.Explanation, error) { return x.Upsert(*whole, level.Set(2)).Explain(assumed) },
		func() (trestle.Explanation, error) {
			return x.Upsert(*whole, attr.Named[employee]("extra").Remove()).Explain(assumed)
		},
		func() (trestle.Explanation, error) { return x.Delete(*whole, level.Eq(3)).Explain(assumed) },
		func() (trestle.Explanation, error) {
			return es.Reader().ExplainMany([]employee{*whole, {CompanyID: "c1", ID: "e2"}, *whole}, assumed)
		},
		func() (trestle.Explanation, error) { return es.Reader().ExplainMany(nil, assumed) },
		func() (trestle.Explanation, error) {
			return es.Reader().ExplainMany([]employee{*whole, {ID: "e2"}, {CompanyID: "c1"}}, assumed)
		},
		func() (trestle.Explanation, error) { return names.Explain(es, *whole) },
		func() (trestle.Explanation, error) {
			return names.ExplainMany(es.Strong(), []employee{*whole}, trestle.Assumption{Items: 7, ItemSize: 5000})
		},
		func() (trestle.Explanation, error) {
			return query.ExplainMany([]query.ItemRef{query.Ref(es, *whole), query.Ref(companies.In(table), company{ID: "c1"})})
		},
	} {
		e, err := explain()
		if err != nil {
			require.ErrorIs(t, err, trestle.ErrInvalid)
			text.WriteString("refused\n\n")
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

// explained has attributes of every kind that a path can contain.
type explained struct {
	_    entity.Key                      `type:"explained" pk:"E#<id>" sk:"E"`
	ID   string                          `dynamodbav:"id"`
	Home *place                          `dynamodbav:"home"`
	Ways []place                         `dynamodbav:"ways"`
	Tags map[string]place                `dynamodbav:"tags"`
	Rest map[string]types.AttributeValue `entity:"rest"`
}

type place struct {
	City string   `dynamodbav:"city"`
	Next []*place `dynamodbav:"next"`
}

// Explanations contain names that types declare. Map keys and undeclared attributes are data and do
// not appear.
func TestExplanationsContainDeclaredNamesOnly(t *testing.T) {
	t.Parallel()
	s := entity.NewSchema(entity.Config{})
	es := entity.Define[explained](s)
	table, err := s.Open(silent{}, "places")
	require.NoError(t, err)
	for path, want := range map[string]string{
		"home.city": "home.city = ?", "ways[3].city": "ways[3].city = ?", "home.next[1].next[2].city": "home.next[1].next[2].city = ?",
		"tags.secret.city": `tags["…"].city = ?`, "tags.city.city": `tags["…"].city = ?`, "secret": `["…"] = ?`, "secret.city": `["…"]["…"] = ?`,
	} {
		e, err := query.Of(es.In(table), explained{ID: "x"}).Filter(attr.Named[explained](path).Eq("x")).Explain()
		require.NoError(t, err, path)
		require.Equal(t, want, e.Filter, path)
	}
}
