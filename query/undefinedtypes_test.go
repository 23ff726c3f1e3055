package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// putTexts puts a foreign item with text attributes.
func putTexts(t *testing.T, client *dynamodb.Client, table string, texts map[string]string) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: textItem(texts)})
	require.NoError(t, err)
}

func textItem(texts map[string]string) map[string]types.AttributeValue {
	item := make(map[string]types.AttributeValue, len(texts))
	for name, text := range texts {
		item[name] = &types.AttributeValueMemberS{Value: text}
	}
	return item
}

// trunk has its route only in the key of an index.
type trunk struct {
	_     entity.Key   `type:"trunk" pk:"P#<id>" sk:"P"`
	_     entity.Index `name:"by-route" on:"Routes" pk:"R#<route>" sk:"<id>"`
	_     entity.Index `name:"by-town" on:"Towns" pk:"T#<town>" sk:"<id>"`
	ID    string       `dynamodbav:"id"`
	Route string       `dynamodbav:"route" entity:"key"`
	Town  string       `dynamodbav:"town"`
}

type trunkRoute struct {
	ID    string `dynamodbav:"id"`
	Route string `dynamodbav:"route"`
}

// A field that is only in the key of another index is available if that key is projected. Otherwise
// the query is rejected.
func TestFieldsInTheKeyOfAnotherIndex(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		index  entity.IndexConfig
		whole  bool // the index projects all attributes of a trunk
		served bool // the index projects all attributes of its route
	}{
		"keys":           {entity.IndexConfig{KeysOnly: true}, false, false},
		"all but route":  {entity.IndexConfig{Include: []string{"id", "town", "_type"}}, false, false},
		"and the route":  {entity.IndexConfig{Include: []string{"id", "town", "_type", "RoutesPK"}}, true, true},
		"everything":     {entity.IndexConfig{}, true, true},
		"the route only": {entity.IndexConfig{Include: []string{"id", "RoutesPK"}}, false, true},
	} {
		c.index.Name = "Towns"
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "Routes"}, c.index}})
		trunks := entity.Define[trunk](s)
		routes := entity.Project[trunkRoute](trunks)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				table, err := s.Open(e.Client(t), "trunks")
				require.NoError(t, err)
				require.NoError(t, table.Create(t.Context()))
				r := trunks.In(table)
				one := trunk{ID: "1", Route: "north", Town: "Bern"}
				require.NoError(t, r.Put(t.Context(), &one))
				q := query.On(r, "by-town", trunk{Town: "Bern"})
				found, err := q.Collect(t.Context())
				scanned, bad := oneOf(query.Scan(r).On("by-town").All(t.Context()))
				if c.whole {
					require.NoError(t, err)
					require.NoError(t, bad)
					require.Equal(t, []trunk{one}, found)
					require.Equal(t, []trunk{one}, scanned)
				} else {
					require.ErrorIs(t, err, trestle.ErrInvalid)
					require.ErrorIs(t, bad, trestle.ErrInvalid)
				}
				part, err := query.As(q, routes).Collect(t.Context())
				if c.served {
					require.NoError(t, err)
					require.Equal(t, []trunkRoute{{"1", "north"}}, part)
				} else {
					require.ErrorIs(t, err, trestle.ErrInvalid)
				}
			})
		})
	}
}

// oneOf returns all items, and the last error.
func oneOf[T any](items func(func(T, error) bool)) (all []T, last error) {
	for item, err := range items {
		if last = err; err == nil {
			all = append(all, item)
		}
	}
	return all, last
}

// signal has an index of plain attributes, which may contain foreign items.
type signal struct {
	_     entity.Key   `type:"signal" pk:"S#<id>" sk:"S"`
	_     entity.Index `name:"by-track" on:"Tracks"`
	ID    string       `dynamodbav:"id"`
	Track string       `dynamodbav:"track"`
	At    string       `dynamodbav:"at"`
}

type signalPlace struct {
	Track string `dynamodbav:"track"`
	At    string `dynamodbav:"at"`
}

// Queries of an index of plain attributes neither return nor count foreign items, with or without a
// type attribute.
func TestItemsOfUndefinedTypes(t *testing.T) {
	t.Parallel()
	for _, keysOnly := range []bool{true, false} {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{
			{Name: "Tracks", KeysOnly: keysOnly, Partition: []entity.Attribute{entity.S("track")}, Sort: []entity.Attribute{entity.S("at")}},
		}})
		signals := entity.Define[signal](s)
		places := entity.Project[signalPlace](signals)
		t.Run(map[bool]string{true: "keys", false: "everything"}[keysOnly], func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				client := e.Client(t)
				table, err := s.Open(client, "signals", entity.PlainCursors())
				require.NoError(t, err)
				require.NoError(t, table.Create(t.Context()))
				r := signals.In(table)
				putTexts(t, client, "signals", map[string]string{"PK": "X#1", "SK": "X", "_type": "stranger", "track": "1", "at": "a"})
				putTexts(t, client, "signals", map[string]string{"PK": "Y#1", "SK": "Y", "track": "1", "at": "b"})
				require.NoError(t, r.Put(t.Context(), &signal{ID: "1", Track: "1", At: "c"}))
				q := query.On(r, "by-track", signal{Track: "1"})
				part, err := query.As(q, places).Collect(t.Context())
				require.NoError(t, err)
				require.Equal(t, []signalPlace{{"1", "c"}}, part)
				n, err := q.Count(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, n)
				n, err = q.Collection().Count(t.Context())
				require.NoError(t, err)
				require.Equal(t, 3, n)
				if keysOnly {
					return
				}
				first, err := q.First(t.Context())
				require.NoError(t, err)
				require.Equal(t, "1", first.ID)
				scanned, err := oneOf(query.Scan(r).On("by-track").All(t.Context()))
				require.NoError(t, err)
				require.Equal(t, []signal{first}, scanned)
			})
		})
	}
}

// Types that share an index with only keys are counted by the table's key. A filter by type is
// rejected before a request.
func TestSharedKeysAlone(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1", KeysOnly: true}}})
		visits, calls := entity.Define[visit](s), entity.Define[call](s)
		table, err := s.Open(e.Client(t), "guests")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		for i := range 5 {
			if i < 2 {
				require.NoError(t, visits.In(table).Put(ctx, &visit{Name: "ada", ID: day(1 + i).Format("02"), At: day(1 + i)}))
				continue
			}
			require.NoError(t, calls.In(table).Put(ctx, &call{Name: "ada", ID: day(1 + i).Format("02"), Began: day(1 + i)}))
		}
		q := query.On(visits.In(table), "by-time", visit{Name: "ada"})
		for want, count := range map[int]func() (int, error){
			2: func() (int, error) { return q.Count(ctx) },
			3: func() (int, error) { return query.On(calls.In(table), "by-time", call{Name: "ada"}).Count(ctx) },
			5: func() (int, error) { return q.Collection().Count(ctx) },
			1: func() (int, error) { return q.Where(visitAt.Ge(day(2))).Count(ctx) },
		} {
			n, err := count()
			require.NoError(t, err)
			require.Equal(t, want, n)
		}
		for _, count := range []func() (int, error){
			func() (int, error) { return q.Collection().Types(visits).Count(ctx) },
			func() (int, error) { return q.Collection().Types(visits, calls).Count(ctx) },
		} {
			_, err := count()
			require.ErrorIs(t, err, trestle.ErrInvalid)
			var failed *trestle.OpError
			require.ErrorAs(t, err, &failed)
			require.Empty(t, failed.RequestID, "nothing was sent")
		}
	})
}

// An item without a type attribute may be older than the types of the table. Its key determines its
// type, for all reads.
func TestItemsWithoutAType(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table, err := schema.Open(client, "people")
		require.NoError(t, err)
		ctx := t.Context()
		require.NoError(t, table.Create(ctx))
		r := employees.In(table)
		require.NoError(t, r.Create(ctx, &employee{CompanyID: "c", ID: "new"}))
		old := employee{CompanyID: "c", ID: "old"}
		putTexts(t, client, "people", map[string]string{"PK": "COM#c", "SK": "EMP#old", "company_id": "c", "id": "old"})
		putTexts(t, client, "people", map[string]string{"PK": "COM#c", "SK": "ELSE#1", "company_id": "c", "id": "1"})

		one, err := r.Get(ctx, old)
		require.NoError(t, err)
		require.Equal(t, old, one)
		several, err := r.GetMany(ctx, []employee{old})
		require.NoError(t, err)
		require.Equal(t, []*employee{&old}, several)
		mixed, err := query.GetMany(ctx, query.Ref(r, old))
		require.NoError(t, err)
		require.Equal(t, []any{old}, mixed)

		q := query.Of(r, employee{CompanyID: "c"})
		n, err := q.Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		for name, read := range map[string]func() ([]employee, error){
			"query": func() ([]employee, error) { return q.Collect(ctx) },
			"scan":  func() ([]employee, error) { return oneOf(query.Scan(r).All(ctx)) },
			"items": func() ([]employee, error) { return employeesAmong(oneOf(query.Items(ctx, q.Collection()))) },
			"all":   func() ([]employee, error) { return employeesAmong(oneOf(query.ScanTable(table).All(ctx))) },
			"load": func() ([]employee, error) {
				var view struct {
					Employees []employee
					Rest      []entity.Raw
				}
				err := query.Load(ctx, q.Collection(), &view)
				require.Len(t, view.Rest, 1)
				return view.Employees, err
			},
		} {
			found, err := read()
			require.NoError(t, err, name)
			require.ElementsMatch(t, []employee{old, {CompanyID: "c", ID: "new"}}, found, name)
		}
	})
}

func employeesAmong(items []any, err error) (all []employee, _ error) {
	for _, item := range items {
		if e, ok := item.(employee); ok {
			all = append(all, e)
		}
	}
	return all, err
}
