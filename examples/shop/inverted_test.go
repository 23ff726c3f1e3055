package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// inverted is an index whose keys are the key attributes of the table in reverse. The table finds
// the items of an order, and the index finds the orders of a product or a customer. It needs no
// attribute and no template of its own.
var inverted = []entity.IndexConfig{{Name: "GSI1", Partition: []entity.Attribute{entity.S("SK")}, Sort: []entity.Attribute{entity.S("PK")}}}

// invertedRows are two orders as another program stored them: PK, SK, type, and other attributes.
const invertedRows = `
| o#12345 | c#12345 | order | Date=2021-04-20T09:10:00Z |
| o#12345 | p#12345 | orderItem | Price=100 Quantity=2 |
| o#12345 | p#99887 | orderItem | Price=40 Quantity=5 |
| o#54321 | c#12345 | order | Date=2021-01-19T09:18:00Z |
| o#54321 | p#12345 | orderItem | Price=100 Quantity=2 |
| o#54321 | p#34567 | orderItem | Price=50 Quantity=4 |
`

type (
	rawOrder struct {
		_        entity.Key   `type:"order" pk:"o#<order>" sk:"c#<customer>"`
		_        entity.Index `name:"by-customer" on:"GSI1"`
		Order    string       `dynamodbav:"order" entity:"key"`
		Customer string       `dynamodbav:"customer" entity:"key"`
		Date     string
	}
	rawItem struct {
		_        entity.Key   `type:"orderItem" pk:"o#<order>" sk:"p#<product>"`
		_        entity.Index `name:"by-product" on:"GSI1"`
		Order    string       `dynamodbav:"order" entity:"key"`
		Product  string       `dynamodbav:"product" entity:"key"`
		Price    digits
		Quantity digits
	}

	newOrder struct {
		_          entity.Key   `type:"order" pk:"o#<id>" sk:"c#<customer_id>"`
		_          entity.Index `name:"by-customer" on:"GSI1"`
		ID         string       `dynamodbav:"id"`
		CustomerID string       `dynamodbav:"customer_id"`
		PlacedAt   time.Time    `dynamodbav:"placed_at"`
	}
	newItem struct {
		_         entity.Key   `type:"orderItem" pk:"o#<order_id>" sk:"p#<product_id>"`
		_         entity.Index `name:"by-product" on:"GSI1"`
		OrderID   string       `dynamodbav:"order_id"`
		ProductID string       `dynamodbav:"product_id"`
		Price     int          `dynamodbav:"price"`
		Quantity  int          `dynamodbav:"quantity"`
	}
)

var (
	rawSchema = entity.NewSchema(entity.Config{Raw: true, TypeAttribute: "EntityType", WriteID: entity.None, Indexes: inverted})
	rawOrders = entity.Define[rawOrder](rawSchema)
	rawItems  = entity.Define[rawItem](rawSchema)

	newSchema = entity.NewSchema(entity.Config{Indexes: inverted})
	newOrders = entity.Define[newOrder](newSchema)
	newItems  = entity.Define[newItem](newSchema)
)

// relations is the interface of both models. The results are keys as PK/SK.
type relations struct {
	ordersOf func(t *testing.T, product string) []string  // from the index
	placedBy func(t *testing.T, customer string) []string // from the index
	itemsOf  func(t *testing.T, order string) []string
	all      func(t *testing.T, product string) []string // the whole item collection of the index
}

func rawRelations(t *testing.T, client *dynamodb.Client) relations {
	t.Helper()
	table, err := rawSchema.Open(client, "orders")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for line := range strings.Lines(strings.TrimSpace(invertedRows)) {
		f := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		item := map[string]string{"PK": f[0], "SK": f[1], "EntityType": f[2]}
		for pair := range strings.FieldsSeq(f[3]) {
			name, value, _ := strings.Cut(pair, "=")
			item[name] = value
		}
		putText(t, client, table.Name(), item)
	}
	orders, items := rawOrders.In(table), rawItems.In(table)
	return relations{
		ordersOf: func(t *testing.T, product string) []string {
			return must(t)(many(rawItems)(query.On(items, "by-product", rawItem{Product: product}).Collect(t.Context())))
		},
		placedBy: func(t *testing.T, customer string) []string {
			return must(t)(many(rawOrders)(query.On(orders, "by-customer", rawOrder{Customer: customer}).Collect(t.Context())))
		},
		itemsOf: func(t *testing.T, order string) []string {
			return must(t)(many(rawItems)(query.Of(items, rawItem{Order: order}).Collect(t.Context())))
		},
		all: func(t *testing.T, product string) []string {
			var view struct{ Items []rawItem }
			err := query.Load(t.Context(), query.On(items, "by-product", rawItem{Product: product}).Collection(), &view)
			return must(t)(many(rawItems)(view.Items, err))
		},
	}
}

func newRelations(t *testing.T, client *dynamodb.Client) relations {
	t.Helper()
	table, err := newSchema.Open(client, "orders-typed")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	ctx, orders, items := t.Context(), newOrders.In(table), newItems.In(table)
	require.NoError(t, errors.Join(
		orders.Create(ctx, &newOrder{ID: "12345", CustomerID: "12345", PlacedAt: time.Date(2021, 4, 20, 9, 10, 0, 0, time.UTC)}),
		items.Create(ctx, &newItem{OrderID: "12345", ProductID: "12345", Price: 100, Quantity: 2}),
		items.Create(ctx, &newItem{OrderID: "12345", ProductID: "99887", Price: 40, Quantity: 5}),
		orders.Create(ctx, &newOrder{ID: "54321", CustomerID: "12345", PlacedAt: time.Date(2021, 1, 19, 9, 18, 0, 0, time.UTC)}),
		items.Create(ctx, &newItem{OrderID: "54321", ProductID: "34567", Price: 50, Quantity: 4}),
		items.Create(ctx, &newItem{OrderID: "54321", ProductID: "12345", Price: 100, Quantity: 2}),
	))
	return relations{
		ordersOf: func(t *testing.T, product string) []string {
			return must(t)(many(newItems)(query.On(items, "by-product", newItem{ProductID: product}).Collect(t.Context())))
		},
		placedBy: func(t *testing.T, customer string) []string {
			return must(t)(many(newOrders)(query.On(orders, "by-customer", newOrder{CustomerID: customer}).Collect(t.Context())))
		},
		itemsOf: func(t *testing.T, order string) []string {
			return must(t)(many(newItems)(query.Of(items, newItem{OrderID: order}).Collect(t.Context())))
		},
		all: func(t *testing.T, product string) []string {
			var view struct{ Items []newItem }
			err := query.Load(t.Context(), query.On(items, "by-product", newItem{ProductID: product}).Collection(), &view)
			return must(t)(many(newItems)(view.Items, err))
		},
	}
}

// One table and one index without attributes of its own find each relation from both sides.
func TestInvertedIndexFindsRelationsFromBothSides(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, *dynamodb.Client) relations{"existing": rawRelations, "typed": newRelations} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				r := open(t, e.Client(t))
				require.Equal(t, []string{"o#12345/p#12345", "o#54321/p#12345"}, r.ordersOf(t, "12345"))
				require.Equal(t, []string{"o#12345/p#99887"}, r.ordersOf(t, "99887"), "the book is in the first order, not in the second")
				require.Equal(t, []string{"o#54321/p#34567"}, r.ordersOf(t, "34567"))
				require.Equal(t, []string{"o#12345/c#12345", "o#54321/c#12345"}, r.placedBy(t, "12345"), "a customer and a product may have the same ID")
				require.Equal(t, []string{"o#12345/p#12345", "o#12345/p#99887"}, r.itemsOf(t, "12345"))
				require.Equal(t, []string{"o#54321/p#12345", "o#54321/p#34567"}, r.itemsOf(t, "54321"))
				require.Equal(t, []string{"o#12345/p#12345", "o#54321/p#12345"}, r.all(t, "12345"))
				require.Empty(t, r.ordersOf(t, "1234"))
			})
		})
	}
}

func must(t *testing.T) func([]string, error) []string {
	t.Helper()
	return func(keyTexts []string, err error) []string {
		t.Helper()
		require.NoError(t, err)
		return keyTexts
	}
}
