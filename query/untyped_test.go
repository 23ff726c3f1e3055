package query_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// selecting records the Select of the last query.
type selecting struct {
	*dynamodb.Client
	last *types.Select
}

func (s selecting) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	*s.last = in.Select
	return s.Client.Query(ctx, in, opts...)
}

// putUntyped puts items without a type attribute in the index of guests: a visit and a call, which
// the table's key identifies, and an item of an unknown type.
func putUntyped(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	for sk, texts := range map[string]map[string]string{
		"VISIT#old": {"id": "old", "at": "2026-08-01T00:00:00Z"},
		"CALL#old":  {"id": "old", "began": "2026-08-02T00:00:00Z"},
		"ELSE#old":  {"id": "old"},
	} {
		for name, text := range map[string]string{"PK": "GUEST#ada", "SK": sk, "guest": "ada", "GSI1PK": "GUEST#ada", "GSI1SK": "2026-08-01T00:00:00Z"} {
			texts[name] = text
		}
		putTexts(t, client, "guests", texts)
	}
}

// In an index that types share, the table's key determines the type of items without a type
// attribute. This holds for all reads and counts.
func TestSharedIndexesHoldItemsWithoutAType(t *testing.T) {
	t.Parallel()
	for _, keysOnly := range []bool{true, false} {
		t.Run(map[bool]string{true: "keys", false: "everything"}[keysOnly], func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: keysOnly}}})
				visits, calls := entity.Define[visit](s), entity.Define[call](s)
				client := e.Client(t)
				table, err := s.Open(client, "guests", entity.PlainCursors())
				require.NoError(t, err)
				ctx := t.Context()
				require.NoError(t, table.Create(ctx))
				require.NoError(t, visits.In(table).Put(ctx, &visit{Name: "ada", ID: "new", At: day(3)}))
				require.NoError(t, calls.In(table).Put(ctx, &call{Name: "ada", ID: "new", Began: day(4)}))
				putUntyped(t, client)
				q := query.On(visits.In(table), "by-time", visit{Name: "ada"})
				for want, count := range map[int]func(context.Context) (int, error){
					2: q.Count, 1: q.Where(visitAt.Ge(day(2))).Count, 5: q.Collection().Count,
				} {
					n, err := count(ctx)
					require.NoError(t, err)
					require.Equal(t, want, n)
				}
				if keysOnly {
					return
				}
				want := []visit{{Name: "ada", ID: "old", At: day(1)}, {Name: "ada", ID: "new", At: day(3)}}
				visitsAmong := func(items []any, err error) (all []visit, _ error) {
					for _, item := range items {
						require.IsType(t, visit{}, item)
						all = append(all, item.(visit))
					}
					return all, err
				}
				for name, read := range map[string]func() ([]visit, error){
					"query": func() ([]visit, error) { return q.Collect(ctx) },
					"few":   func() ([]visit, error) { p, err := q.Limit(2).Page(ctx, ""); return p.Items, err },
					"scan":  func() ([]visit, error) { return oneOf(query.Scan(visits.In(table)).On("by-time").All(ctx)) },
					"types": func() ([]visit, error) { return visitsAmong(oneOf(query.Items(ctx, q.Collection().Types(visits)))) },
				} {
					found, err := read()
					require.NoError(t, err, name)
					require.ElementsMatch(t, want, found, name)
				}
				n, err := q.Collection().Types(visits, calls).Count(ctx)
				require.NoError(t, err)
				require.Equal(t, 4, n)
			})
		})
	}
}

// Types selects items without a type attribute if their key identifies one of the types.
func TestTypesOfItemsWithoutAType(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		putTexts(t, client, "people", map[string]string{"PK": "COM#c1", "SK": "EMP#old", "company_id": "c1", "id": "old"})
		putTexts(t, client, "people", map[string]string{"PK": "COM#c1", "SK": "EMPLOG#old", "company_id": "c1", "id": "old"})
		putTexts(t, client, "people", map[string]string{"PK": "COM#c1", "SK": "ELSE#old", "company_id": "c1", "id": "old"})
		ctx, all := t.Context(), query.Of(companies.In(table), company{ID: "c1"}).Collection()
		for want, some := range map[int]query.Collection{
			1: all.Types(companies), 2: all.Types(logs), 6: all.Types(employees), 8: all.Types(employees, logs), 10: all,
		} {
			n, err := some.Count(ctx)
			require.NoError(t, err)
			require.Equal(t, want, n)
			require.Len(t, collect(t, query.Items(ctx, some)), want)
		}
		var view struct {
			Employees []employee
			Logs      []employeeLog
		}
		require.NoError(t, query.Load(ctx, all.Types(employees, logs), &view))
		require.Len(t, view.Employees, 6)
		require.Len(t, view.Logs, 2)
	})
}

// If the table's key does not identify the type, items without a type attribute have no type, and
// the filter excludes them. If the keys identify the type, DynamoDB counts.
func TestServiceErrors(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		var selected types.Select
		table, err := schema.Open(selecting{client, &selected}, "people")
		require.NoError(t, err)
		ctx, q := t.Context(), query.Of(employees.In(table), employee{CompanyID: "c1"})
		for want, count := range map[types.Select]func(context.Context) (int, error){
			types.SelectCount: q.Count, "": q.Collection().Types(employees).Count,
		} {
			n, err := count(ctx)
			require.NoError(t, err)
			require.Equal(t, 5, n)
			require.Equal(t, want, selected)
		}

		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		cats, dogs := entity.Define[cat](s), entity.Define[dog](s)
		shared, err := s.Open(selecting{client, &selected}, "pets")
		require.NoError(t, err)
		require.NoError(t, shared.Create(ctx))
		require.NoError(t, cats.In(shared).Put(ctx, &cat{Home: "h", ID: "1"}))
		require.NoError(t, dogs.In(shared).Put(ctx, &dog{Home: "h", ID: "2"}))
		putTexts(t, client, "pets", map[string]string{"PK": "H#h", "SK": "3", "GSI1PK": "H#h", "GSI1SK": "3", "home": "h", "id": "3"})
		for _, of := range []query.Query[cat]{query.Of(cats.In(shared), cat{Home: "h"}), query.On(cats.In(shared), "at-home", cat{Home: "h"})} {
			in, err := of.Input()
			require.NoError(t, err)
			require.NotContains(t, aws.ToString(in.FilterExpression), "attribute_not_exists")
			n, err := of.Count(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.Equal(t, types.SelectCount, selected)
			n, err = of.Collection().Types(cats).Count(ctx)
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
	})
}

// cat and dog share all their keys.
type cat struct {
	_    entity.Key   `type:"cat" pk:"H#<home>" sk:"<id>" shared:"yes"`
	_    entity.Index `name:"at-home" on:"GSI1" pk:"H#<home>" sk:"<id>" shared:"yes"`
	Home string       `dynamodbav:"home"`
	ID   string       `dynamodbav:"id"`
}

type dog struct {
	_    entity.Key   `type:"dog" pk:"H#<home>" sk:"<id>" shared:"yes"`
	_    entity.Index `name:"at-home" on:"GSI1" pk:"H#<home>" sk:"<id>" shared:"yes"`
	Home string       `dynamodbav:"home"`
	ID   string       `dynamodbav:"id"`
}

// Reading a few items of one type after many foreign items needs few requests, in an index of plain
// attributes and under the type's own key.
func TestFewItemsAmongManyOfOtherTypes(t *testing.T) {
	t.Parallel()
	const foreign = 200
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "Tracks", Partition: []entity.Attribute{entity.S("track")}, Sort: []entity.Attribute{entity.S("at")}},
		}})
		signals := entity.Define[signal](s)
		beacons := entity.Define[beacon](s)
		client := e.Client(t)
		table, err := s.Open(client, "signals", entity.PlainCursors())
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		for i := range foreign {
			n := strconv.Itoa(1000 + i)
			putTexts(t, client, "signals", map[string]string{"PK": "B#1", "SK": "B#" + n, "_type": "stranger", "track": "1", "at": n})
		}
		for _, id := range []string{"2000", "2001"} {
			require.NoError(t, signals.In(table).Put(ctx, &signal{ID: id, Track: "1", At: id}))
			require.NoError(t, beacons.In(table).Put(ctx, &beacon{Site: "1", ID: id}))
		}
		few := func(items []string, scanned, requests int, err error) {
			t.Helper()
			require.NoError(t, err)
			require.Equal(t, []string{"2000"}, items)
			require.LessOrEqual(t, requests, 9)
			require.LessOrEqual(t, scanned, 2*foreign)
		}
		onIndex, err := query.On(signals.In(table), "by-track", signal{Track: "1"}).Limit(1).Page(ctx, "")
		few([]string{onIndex.Items[0].ID}, onIndex.Scanned, onIndex.Requests, err)
		ofTable, err := query.Of(beacons.In(table), beacon{Site: "1"}).Limit(1).Page(ctx, "")
		few([]string{ofTable.Items[0].ID}, ofTable.Scanned, ofTable.Requests, err)
		next, err := query.Of(beacons.In(table), beacon{Site: "1"}).Limit(1).Page(ctx, ofTable.Next)
		require.NoError(t, err)
		require.Equal(t, "2001", next.Items[0].ID, "what was read beyond the first is not passed over")
		require.Equal(t, 1, next.Scanned, "nothing foreign came: no more than is wanted is read")
	})
}

type beacon struct {
	_    entity.Key `type:"beacon" pk:"B#<site>" sk:"B#<id>"`
	Site string     `dynamodbav:"site"`
	ID   string     `dynamodbav:"id"`
}
