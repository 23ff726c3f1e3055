package main

import (
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// eachShop opens both models on every engine.
func eachShop(t *testing.T, f func(t *testing.T, client *dynamodb.Client, legacy legacyShop, s Store)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		c := newCounter(client)
		legacy, ok := openLegacy(t, client, c).(legacyShop)
		require.True(t, ok)
		typed, ok := openTyped(t, client, c).(typedShop)
		require.True(t, ok)
		f(t, client, legacy, typed.store)
	})
}

// The sort keys of shipment items begin like those of shipments. A query returns only its own type,
// but a plain prefix returns both.
func TestQueryOfShipmentsExcludesTheirItems(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, _ *dynamodb.Client, legacy legacyShop, s Store) {
		ctx := t.Context()
		old := query.Of(legacyShipments.In(legacy.table), legacyShipment{Order: "12345"})
		oldPage, err := old.Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, oldPage.Items, 2)
		require.Equal(t, 2, oldPage.Scanned)
		typed := query.Of(s.shipments, Shipment{OrderID: "12345"})
		page, err := typed.Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		require.Equal(t, 2, page.Scanned)

		for _, c := range []query.Collection{old.Collection(), typed.Collection()} {
			for prefix, want := range map[string]int{"sh": 5, "sh#": 2, "shp": 3, "shp#": 3, "s": 5, "shx": 0} {
				n, err := c.Prefix(prefix).Count(ctx)
				require.NoError(t, err)
				require.Equal(t, want, n, prefix)
			}
		}
	})
}

// A schema in which a key may belong to two types is invalid.
func TestOverlappingKeysAreRejected(t *testing.T) {
	t.Parallel()
	type shipment struct {
		_     entity.Key `type:"shipment" pk:"o#<order>" sk:"sh<id>"`
		Order string     `dynamodbav:"order"`
		ID    string     `dynamodbav:"id"`
	}
	type shipmentItem struct {
		_     entity.Key `type:"shipmentItem" pk:"o#<order>" sk:"shp#<id>"`
		Order string     `dynamodbav:"order"`
		ID    string     `dynamodbav:"id"`
	}
	alone := entity.NewSchema(entity.Config{})
	entity.Define[shipment](alone)
	require.NoError(t, alone.Err())
	s := entity.NewSchema(entity.Config{})
	entity.Define[shipment](s)
	entity.Define[shipmentItem](s)
	var faults *trestle.DefinitionError
	require.ErrorAs(t, s.Err(), &faults)
}

// A period includes its start and its last second, but not the start of the next period.
func TestPeriodExcludesItsEnd(t *testing.T) {
	t.Parallel()
	midnight := theDay.End
	moments := []time.Time{theDay.Start.Add(-time.Second), theDay.Start, midnight.Add(-time.Second), midnight}
	eachShop(t, func(t *testing.T, _ *dynamodb.Client, legacy legacyShop, s Store) {
		ctx := t.Context()
		for i, at := range moments {
			order := "night" + string(rune('0'+i))
			require.NoError(t, s.AddOrderItem(ctx, &OrderItem{OrderID: order, ProductID: "1", CustomerID: "1", OrderedAt: at}))
			require.NoError(t, s.AddInvoice(ctx, &Invoice{OrderID: order, ID: order, CustomerID: "1", IssuedAt: at}))
			require.NoError(t, legacyOrderItems.In(legacy.table).Put(ctx, &legacyOrderItem{Order: order, Product: "1", Customer: "1", Date: at}))
			require.NoError(t, legacyInvoices.In(legacy.table).Put(ctx, &legacyInvoice{Order: order, ID: order, Customer: "1", Date: legacyTime(at)}))
			require.NoError(t, activityItems.In(legacy.later).Put(ctx, &activityItem{Order: order, Product: "1", Customer: "1", Date: at}))
		}
		items, invoices := []string{"o#night1/p#1", "o#night2/p#1"}, []string{"o#night1/i#night1", "o#night2/i#night2"}
		for _, model := range []shop{legacy, typedShop{s}} {
			got, err := model.sales(ctx, "1", theDay)
			require.NoError(t, err)
			require.Equal(t, items, got)
			got, err = model.purchases(ctx, "1", theDay, 1)
			require.NoError(t, err)
			require.Equal(t, items, got)
			got, err = model.invoicesTo(ctx, "1", theDay)
			require.NoError(t, err)
			require.Equal(t, invoices, got)
		}
		got, err := legacy.activity(ctx, "1", theDay, false)
		require.NoError(t, err)
		require.Equal(t, items, got)
		got, err = typedShop{s}.activity(ctx, "1", theDay, false)
		require.NoError(t, err)
		require.ElementsMatch(t, append(items, invoices...), got)

		nothing := attr.Period{Start: midnight, End: midnight}
		for _, model := range []shop{legacy, typedShop{s}} {
			got, err := model.activity(ctx, "1", nothing, false)
			require.NoError(t, err)
			require.Empty(t, got)
		}

		// A hand-written range loses the last day, because the string of the day sorts before its
		// times.
		byHand := query.On(legacyInvoices.In(legacy.table), "by-customer", legacyInvoice{Customer: "1"})
		lost, err := byHand.Where(legacyInvoiceDate.Between("2020-06-01", "2020-06-21")).Collect(ctx)
		require.NoError(t, err)
		require.Len(t, lost, 1, "only the day before")
	})
}

// A row without index keys is not on the index. The model adds the keys when it stores the row.
func TestRowWithoutIndexKeysIsNotOnTheIndex(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, _ *dynamodb.Client, legacy legacyShop, s Store) {
		ctx := t.Context()
		want := []string{"p#99887/w#12376"}
		got, err := legacy.stockIn(ctx, "12376")
		require.NoError(t, err)
		require.Empty(t, got)
		got, err = typedShop{s}.stockIn(ctx, "12376")
		require.NoError(t, err)
		require.Equal(t, want, got, "the typed model stored the index keys")

		stocks := legacyStocks.In(legacy.table)
		row, err := stocks.Get(ctx, legacyStock{Product: "99887", Warehouse: "12376"})
		require.NoError(t, err)
		require.Equal(t, digits(4), row.Quantity)
		require.NoError(t, stocks.Put(ctx, &row))
		got, err = legacy.stockIn(ctx, "12376")
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// Every row of every type can be read, and does not change when it is stored again.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		legacy, ok := openLegacy(t, client, newCounter(client)).(legacyShop)
		require.True(t, ok)
		before := itemsByKey(t, client, legacy.table.Name())
		require.Len(t, before, 19)
		require.Equal(t, text("50"), before["p#12345/w#12345"]["Quantity"], "numbers are stored as strings")
		restored := 0
		for item, err := range query.ScanTable(legacy.table).All(ctx) {
			require.NoError(t, err)
			require.NoError(t, putLegacy(t, legacy.table, item))
			restored++
		}
		require.Equal(t, 19, restored)
		unindexed := maps.Clone(before["p#99887/w#12376"])
		unindexed["GSI2-PK"], unindexed["GSI2-SK"] = text("w#12376"), text("p#99887")
		before["p#99887/w#12376"] = unindexed
		require.Equal(t, before, itemsByKey(t, client, legacy.table.Name()))
	})
}

// A number that is stored as a number can be read, and is written as a string.
func TestNumbersAreReadAsNumberOrString(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		legacy, ok := openLegacy(t, client, newCounter(client)).(legacyShop)
		require.True(t, ok)
		item := maps.Clone(unindexedStock)
		item["Quantity"] = &types.AttributeValueMemberN{Value: "7"}
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(legacy.table.Name()), Item: item})
		require.NoError(t, err)
		stocks := legacyStocks.In(legacy.table)
		row, err := stocks.Get(ctx, legacyStock{Product: "99887", Warehouse: "12376"})
		require.NoError(t, err)
		require.Equal(t, digits(7), row.Quantity)
		require.NoError(t, stocks.Put(ctx, &row))
		require.Equal(t, text("7"), itemsByKey(t, client, legacy.table.Name())["p#99887/w#12376"]["Quantity"])
	})
}

// A page of a filtered collection reports the items read. Pages of an index resume after the last
// item.
func TestPagesReportTheItemsRead(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, _ *dynamodb.Client, legacy legacyShop, s Store) {
		ctx := t.Context()
		did := query.On(s.orderItems, "activity", OrderItem{CustomerID: "12345"}).Collection()
		page, err := did.Types(Invoices).Page(ctx, "")
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Equal(t, 3, page.Scanned)
		require.InDelta(t, 0.5, page.Capacity.Read, 0)

		c := query.On(legacyShipments.In(legacy.table), "by-id", legacyShipment{ID: "98765"}).PageSize(1).Collection()
		var places []string
		for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
			page, err := c.Page(ctx, cursor)
			require.NoError(t, err)
			require.LessOrEqual(t, page.Scanned, 1)
			require.Equal(t, 1, page.Requests)
			found, err := keysOf(page.Items, nil)
			require.NoError(t, err)
			places = append(places, found...)
			cursor = page.Next
		}
		require.Equal(t, []string{"o#12345/shp#55555", "o#12345/shp#12345", "o#12345/sh#98765"}, places)
	})
}

// A cursor is valid only for the query that returned it.
func TestCursorIsBoundToItsQuery(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, _ *dynamodb.Client, _ legacyShop, s Store) {
		ctx := t.Context()
		page, err := s.Purchases(ctx, "12345", juneOf2020, 1, "")
		require.NoError(t, err)
		require.NotEmpty(t, page.Next)
		_, err = s.Purchases(ctx, "12345", juneOf2020, 1, page.Next)
		require.NoError(t, err)
		_, err = s.Purchases(ctx, "23456", juneOf2020, 1, page.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = s.Purchases(ctx, "12345", attr.Year(2020), 1, page.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = s.Purchases(ctx, "12345", juneOf2020, 1, page.Next[1:])
		require.ErrorIs(t, err, query.ErrCursor)
	})
}
