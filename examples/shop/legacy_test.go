package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// legacyShop reads the existing table.
type legacyShop struct{ table, later *entity.Table }

func openLegacy(t *testing.T, client *dynamodb.Client, c counter) shop {
	t.Helper()
	table, err := legacySchema.Open(c, "OnlineShop", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	fillLegacy(t, client, table)
	require.Equal(t, legacyRows, rowsOf(t, client, table.Name()))
	later, err := activitySchema.Open(c, "OnlineShopLater")
	require.NoError(t, err)
	require.NoError(t, later.Create(t.Context()))
	require.NoError(t, fillActivity(t.Context(), later))
	return legacyShop{table, later}
}

func (s legacyShop) customer(ctx context.Context, id string) ([]string, error) {
	return one(legacyCustomers)(legacyCustomers.In(s.table).Get(ctx, legacyCustomer{ID: id}))
}

func (s legacyShop) product(ctx context.Context, id string) ([]string, error) {
	return one(legacyProducts)(legacyProducts.In(s.table).Get(ctx, legacyProduct{ID: id}))
}

func (s legacyShop) warehouse(ctx context.Context, id string) ([]string, error) {
	return one(legacyWarehouses)(legacyWarehouses.In(s.table).Get(ctx, legacyWarehouse{ID: id}))
}

func (s legacyShop) stockOf(ctx context.Context, product string) ([]string, error) {
	return many(legacyStocks)(query.Of(legacyStocks.In(s.table), legacyStock{Product: product}).Collect(ctx))
}

func (s legacyShop) order(ctx context.Context, id string) ([]string, error) {
	return keysOf(collect(query.Items(ctx, query.Of(legacyOrders.In(s.table), legacyOrder{ID: id}).Collection())))
}

func (s legacyShop) itemsOf(ctx context.Context, order string) ([]string, error) {
	return many(legacyOrderItems)(query.Of(legacyOrderItems.In(s.table), legacyOrderItem{Order: order}).Collect(ctx))
}

func (s legacyShop) invoiceOf(ctx context.Context, order string) ([]string, error) {
	return one(legacyInvoices)(query.Of(legacyInvoices.In(s.table), legacyInvoice{Order: order}).One(ctx))
}

func (s legacyShop) shipmentsOf(ctx context.Context, order string) ([]string, error) {
	return many(legacyShipments)(query.Of(legacyShipments.In(s.table), legacyShipment{Order: order}).Collect(ctx))
}

// sales compares times, although the times in the keys have no zone.
func (s legacyShop) sales(ctx context.Context, product string, when attr.Period) ([]string, error) {
	q := query.On(legacyOrderItems.In(s.table), "by-product", legacyOrderItem{Product: product})
	return many(legacyOrderItems)(q.Where(attr.During(legacyItemDate, when)).Collect(ctx))
}

func (s legacyShop) invoice(ctx context.Context, id string) ([]string, error) {
	return one(legacyInvoices)(query.On(legacyInvoices.In(s.table), "by-id", legacyInvoice{ID: id}).One(ctx))
}

func (s legacyShop) payments(ctx context.Context, invoice string) ([]string, error) {
	paid, err := query.As(query.On(legacyInvoices.In(s.table), "by-id", legacyInvoice{ID: invoice}), legacyPaidOf).One(ctx)
	var all []string
	for _, p := range paid.Detail.Payments {
		all = append(all, fmt.Sprintf("%s %d", p.Type, p.Amount))
	}
	return all, err
}

func (s legacyShop) shipment(ctx context.Context, id string) ([]string, error) {
	return keysOf(collect(query.Items(ctx, query.On(legacyShipments.In(s.table), "by-id", legacyShipment{ID: id}).Collection())))
}

func (s legacyShop) shipmentsFrom(ctx context.Context, warehouse string) ([]string, error) {
	return many(legacyShipments)(query.On(legacyShipments.In(s.table), "by-warehouse", legacyShipment{Warehouse: warehouse}).Collect(ctx))
}

func (s legacyShop) stockIn(ctx context.Context, warehouse string) ([]string, error) {
	return many(legacyStocks)(query.On(legacyStocks.In(s.table), "by-warehouse", legacyStock{Warehouse: warehouse}).Collect(ctx))
}

// invoicesTo computes the end of its range, because the time is a string: the last second of the
// period.
func (s legacyShop) invoicesTo(ctx context.Context, customer string, when attr.Period) ([]string, error) {
	q := query.On(legacyInvoices.In(s.table), "by-customer", legacyInvoice{Customer: customer})
	return many(legacyInvoices)(q.Where(legacyInvoiceDate.Between(legacyTime(when.Start), legacyTime(when.End.Add(-time.Nanosecond)))).Collect(ctx))
}

func (s legacyShop) purchases(ctx context.Context, customer string, when attr.Period, size int) ([]string, error) {
	q := query.On(legacyOrderItems.In(s.table), "by-customer", legacyOrderItem{Customer: customer}).Where(attr.During(legacyItemDate, when))
	return many(legacyOrderItems)(allPages(func(cursor string) (query.Page[legacyOrderItem], error) { return q.Limit(size).Page(ctx, cursor) }))
}

func (s legacyShop) activity(ctx context.Context, customer string, when attr.Period, invoicesOnly bool) ([]string, error) {
	c := query.On(activityItems.In(s.later), "activity", activityItem{Customer: customer}).Where(attr.During(activityDate, when)).Collection()
	if invoicesOnly {
		c = c.Types(activityInvoices)
	}
	return keysOf(collect(query.Items(ctx, c)))
}

func legacyTime(t time.Time) string { return t.UTC().Format(legacyLayout) }

// keysOf returns the keys of items of several types.
func keysOf(items []any, err error) ([]string, error) {
	var found []string
	for _, item := range items {
		found = append(found, legacyKeyOf(item))
	}
	return found, err
}

func legacyKeyOf(item any) string {
	switch v := item.(type) {
	case legacyStock:
		return keyOf(legacyStocks, v)
	case legacyOrder:
		return keyOf(legacyOrders, v)
	case legacyOrderItem:
		return keyOf(legacyOrderItems, v)
	case legacyInvoice:
		return keyOf(legacyInvoices, v)
	case legacyShipment:
		return keyOf(legacyShipments, v)
	case legacyShipmentItem:
		return keyOf(legacyShipmentItems, v)
	case activityItem:
		return keyOf(activityItems, v)
	case activityInvoice:
		return keyOf(activityInvoices, v)
	default:
		return fmt.Sprintf("%T", item)
	}
}

func stringOf(av types.AttributeValue) string {
	if s, ok := av.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return "?"
}
