package query_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// badge is a type that only a newer program has.
type badge struct {
	_         entity.Key `type:"badge" pk:"COM#<company_id>" sk:"BADGE#<id>"`
	CompanyID string     `dynamodbav:"company_id"`
	ID        string     `dynamodbav:"id"`
}

// newcomer stores an item of a type that the readers do not have, and one of the library's own
// items.
func newcomer(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	newer := entity.NewSchema(config)
	badges := entity.Define[badge](newer)
	table, err := newer.Open(client, "people")
	require.NoError(t, err)
	require.NoError(t, badges.In(table).Create(t.Context(), &badge{CompanyID: "c1", ID: "b1"}))
}

func TestItemsYieldsGoValuesInOrder(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table := open(t, client)
		newcomer(t, client)
		items := collect(t, query.Items(t.Context(), query.Of(companies.In(table), company{ID: "c1"}).Collection()))
		require.Len(t, items, 8)
		require.Equal(t, "c1", items[0].(company).ID)
		raw := items[1].(entity.Raw)
		require.Equal(t, "badge", raw.Type)
		require.Equal(t, &types.AttributeValueMemberS{Value: "b1"}, raw.Item["id"])
		require.Equal(t, "e0", items[2].(employee).ID)
		require.Equal(t, "l0", items[7].(employeeLog).ID)

		for item, err := range query.Items(t.Context(), query.Of(companies.In(table), company{ID: "c1"}).Collection()) {
			require.NoError(t, err)
			require.IsType(t, company{}, item)
			break
		}
	})
}

// A partition of an index is a collection too.
func TestItemsOnAnIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		items := collect(t, query.Items(t.Context(), query.On(employees.In(table), "by-hire", employee{CompanyID: "c1"}).Collection()))
		require.Len(t, items, 5)
		require.IsType(t, employee{}, items[0])
	})
}

func TestLoad(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		var last trestle.Event
		watched := config
		watched.Observer = trestle.ObserverFunc(func(_ context.Context, ev trestle.Event) { last = ev })
		s := entity.NewSchema(watched)
		cs := entity.Define[company](s)
		entity.Define[employee](s)
		entity.Define[employeeLog](s)
		open(t, client)
		newcomer(t, client)
		table, err := s.Open(client, "people")
		require.NoError(t, err)
		all := query.Of(cs.In(table), company{ID: "c1"}).Collection()

		var view struct {
			Company   *company
			Employees []employee
			Logs      []*employeeLog
		}
		require.NoError(t, query.Load(t.Context(), all, &view))
		require.Equal(t, "c1", view.Company.ID)
		require.Len(t, view.Employees, 5)
		require.Len(t, view.Logs, 1)
		require.Equal(t, 1, last.Unknown, "the item of an unknown type is passed over, and told")
		require.Equal(t, 7, last.Items)
		require.Positive(t, last.Capacity.Read)

		var withRest struct {
			Company   company
			Employees []employee
			Logs      []employeeLog
			Rest      []entity.Raw
		}
		require.NoError(t, query.Load(t.Context(), all, &withRest))
		require.Len(t, withRest.Rest, 1)

		var none struct{ Company company }
		err = query.Load(t.Context(), query.Of(cs.In(table), company{ID: "nobody"}).Collection(), &none)
		require.ErrorIs(t, err, trestle.ErrNotFound)
	})
}

// Load returns an error for a view that would lose items, and does not change the view.
func TestLoadFailsForItemsWithoutAField(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := open(t, e.Client(t))
		all := query.Of(companies.In(table), company{ID: "c1"}).Collection()
		var noPlace struct{ Company company }
		err := query.Load(t.Context(), all, &noPlace)
		require.Error(t, err)
		require.NotErrorIs(t, err, trestle.ErrInvalid, "it was read")
		require.Empty(t, noPlace.Company.ID)
		var single struct {
			Company  company
			Employee employee
			Logs     []employeeLog
		}
		require.Error(t, query.Load(t.Context(), all, &single))
		require.Empty(t, single.Company.ID)
	})
}

func TestLoadRejectsInvalidStructs(t *testing.T) {
	t.Parallel()
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	all := query.Of(companies.In(table), company{ID: "c1"}).Collection()
	var twice struct {
		A []company
		B *company
	}
	var foreign struct{ B badge }
	var hidden struct{ c company }
	var number int
	require.ErrorIs(t, query.Load(t.Context(), query.Collection{}, &hidden), trestle.ErrInvalid)
	for name, view := range map[string]any{
		"nil": nil, "no pointer": twice, "no struct": &number, "nil pointer": (*struct{})(nil),
		"a type twice": &twice, "no entity": &foreign, "unexported": &hidden,
	} {
		require.ErrorIs(t, query.Load(t.Context(), all, view), trestle.ErrInvalid, name)
	}
}

// Every read skips the library's own items. The event counts them.
func TestLibraryItemsAreSkipped(t *testing.T) {
	t.Parallel()
	type thing struct {
		_    entity.Key   `type:"thing" pk:"T#<id>" sk:"T"`
		_    entity.Index `name:"all" on:"All"`
		ID   string       `dynamodbav:"id"`
		Kind string       `dynamodbav:"kind"`
	}
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		var last trestle.Event
		s := entity.NewSchema(entity.Config{
			Indexes:  []entity.IndexConfig{{Name: "All", Partition: []entity.Attribute{entity.S("kind")}, Sort: []entity.Attribute{entity.S("PK")}}},
			Observer: trestle.ObserverFunc(func(_ context.Context, ev trestle.Event) { last = ev }),
		})
		things := entity.Define[thing](s)
		table, err := s.Open(client, "things")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		require.NoError(t, things.In(table).Create(t.Context(), &thing{ID: "1", Kind: "k"}))
		name := table.Name()
		text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: map[string]types.AttributeValue{
			"PK": text("$UGUARD"), "SK": text("T"), "kind": text("k"),
		}})
		require.NoError(t, err)
		items := collect(t, query.Items(t.Context(), query.On(things.In(table), "all", thing{Kind: "k"}).Collection()))
		require.Equal(t, []any{thing{ID: "1", Kind: "k"}}, items)
		require.Equal(t, 1, last.Skipped)
	})
}
