package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
)

// legacyRows are the nineteen rows: PK, SK, type, GSI1-PK, GSI1-SK, GSI2-PK, GSI2-SK.
const legacyRows = `
| c#12345 | c#12345 | customer | - | - | - | - |
| c#23456 | c#23456 | customer | - | - | - | - |
| c#54321 | c#54321 | customer | - | - | - | - |
| o#12345 | c#12345 | order | - | - | - | - |
| o#12345 | i#55443 | invoice | i#55443 | i#55443 | c#12345 | i#2020-06-21T19:18:00 |
| o#12345 | p#12345 | orderItem | p#12345 | 2020-06-21T19:18:00 | c#12345 | p#2020-06-21T19:18:00 |
| o#12345 | p#99887 | orderItem | p#99887 | 2020-06-21T19:20:00 | c#12345 | p#2020-06-21T19:20:00 |
| o#12345 | sh#88899 | shipment | sh#88899 | sh#88899 | w#12376 | sh#88899 |
| o#12345 | sh#98765 | shipment | sh#98765 | sh#98765 | w#12345 | sh#98765 |
| o#12345 | shp#12345 | shipmentItem | sh#98765 | p#99887 | - | - |
| o#12345 | shp#54321 | shipmentItem | sh#88899 | p#99887 | - | - |
| o#12345 | shp#55555 | shipmentItem | sh#98765 | p#12345 | - | - |
| p#12345 | p#12345 | product | - | - | - | - |
| p#12345 | w#12345 | warehouseItem | - | - | w#12345 | p#12345 |
| p#99887 | p#99887 | product | - | - | - | - |
| p#99887 | w#12345 | warehouseItem | - | - | w#12345 | p#99887 |
| p#99887 | w#12376 | warehouseItem | - | - | - | - |
| w#12345 | w#12345 | warehouse | - | - | - | - |
| w#12376 | w#12376 | warehouse | - | - | - | - |
`

// unindexedStock is a row without keys for GSI2.
var unindexedStock = map[string]types.AttributeValue{
	"PK": text("p#99887"), "SK": text("w#12376"), "EntityType": text("warehouseItem"), "Quantity": text("4"),
}

func text(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// fillLegacy stores eighteen rows with the model, and unindexedStock with the SDK.
func fillLegacy(t *testing.T, client *dynamodb.Client, table *entity.Table) {
	t.Helper()
	require.NoError(t, errors.Join(legacyCatalog(t.Context(), table), legacyOrderOf(t.Context(), table), legacyShipmentsOf(t.Context(), table)))
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table.Name()), Item: unindexedStock})
	require.NoError(t, err)
}

func legacyCatalog(ctx context.Context, table *entity.Table) error {
	customers, products, warehouses, stocks := legacyCustomers.In(table), legacyProducts.In(table), legacyWarehouses.In(table), legacyStocks.In(table)
	album := legacyProduct{ID: "12345", Price: 100}
	album.Detail.Name, album.Detail.Description = "Options Open", "The latest album"
	book := legacyProduct{ID: "99887", Price: 40}
	book.Detail.Name, book.Detail.Description = "The Book", "The best book ever"
	return errors.Join(
		customers.Put(ctx, &legacyCustomer{ID: "12345", Email: "samaneh@example.com", Name: "Samaneh"}),
		customers.Put(ctx, &legacyCustomer{ID: "23456", Email: "kathleen@example.com", Name: "Kathleen"}),
		customers.Put(ctx, &legacyCustomer{ID: "54321", Email: "henrik@example.com", Name: "Henrik"}),
		products.Put(ctx, &album),
		products.Put(ctx, &book),
		warehouses.Put(ctx, &legacyWarehouse{ID: "12345", Address: legacyAddress{"Sweden", "Vastra Gotaland", "Goteborg", "MainStreet", "20", "41111"}}),
		warehouses.Put(ctx, &legacyWarehouse{ID: "12376", Address: legacyAddress{"Sweden", "Vastra Gotaland", "Boras", "RiverStreet", "20", "11111"}}),
		stocks.Put(ctx, &legacyStock{Product: "12345", Warehouse: "12345", Quantity: 50}),
		stocks.Put(ctx, &legacyStock{Product: "99887", Warehouse: "12345", Quantity: 4}),
	)
}

func legacyOrderOf(ctx context.Context, table *entity.Table) error {
	const id = "12345" // of the order and of the customer
	items := legacyOrderItems.In(table)
	return errors.Join(
		legacyOrders.In(table).Put(ctx, &legacyOrder{ID: id, Customer: id, Date: "2020-06-21T19:10:00"}),
		items.Put(ctx, &legacyOrderItem{Order: id, Product: "12345", Customer: id, Date: june(21, 19, 18), Quantity: 2, Price: 100}),
		items.Put(ctx, &legacyOrderItem{Order: id, Product: "99887", Customer: id, Date: june(21, 19, 20), Quantity: 5, Price: 40}),
		legacyInvoices.In(table).Put(ctx, &legacyInvoice{
			Order: id, ID: "55443", Customer: id, Date: "2020-06-21T19:18:00", Amount: 400,
			Detail: legacyDetail{[]legacyPayment{{"GiftCard", 100}, {"MasterCard", 300}}},
		}),
	)
}

func legacyShipmentsOf(ctx context.Context, table *entity.Table) error {
	const order = "12345"
	shipments, items := legacyShipments.In(table), legacyShipmentItems.In(table)
	home := legacyAddress{"Sweden", "Stockholm", "Stockholm", "HomeStreet", "20", "11122"}
	return errors.Join(
		shipments.Put(ctx, &legacyShipment{Order: order, ID: "88899", Warehouse: "12376", Type: "Express", Date: "2020-06-22T08:20:00", Address: home}),
		shipments.Put(ctx, &legacyShipment{Order: order, ID: "98765", Warehouse: "12345", Type: "Express", Date: "2020-06-22T10:20:00", Address: home}),
		items.Put(ctx, &legacyShipmentItem{Order: order, ID: "55555", Shipment: "98765", Product: "12345", Quantity: 2}),
		items.Put(ctx, &legacyShipmentItem{Order: order, ID: "12345", Shipment: "98765", Product: "99887", Quantity: 3}),
		items.Put(ctx, &legacyShipmentItem{Order: order, ID: "54321", Shipment: "88899", Product: "99887", Quantity: 2}),
	)
}

// fillActivity stores the activity of a customer in the later version of the table.
func fillActivity(ctx context.Context, table *entity.Table) error {
	const id = "12345"
	items := activityItems.In(table)
	return errors.Join(
		items.Put(ctx, &activityItem{Order: id, Product: "12345", Customer: id, Date: june(21, 19, 18)}),
		items.Put(ctx, &activityItem{Order: id, Product: "99887", Customer: id, Date: june(21, 19, 20)}),
		activityInvoices.In(table).Put(ctx, &activityInvoice{Order: id, ID: "55443", Customer: id, Date: june(21, 19, 18)}),
	)
}

// rowsOf returns the rows of a table in the format of legacyRows. It reads them with the SDK alone.
func rowsOf(t *testing.T, client *dynamodb.Client, table string) string {
	t.Helper()
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	var lines []string
	for _, item := range out.Items {
		cells := []string{}
		for _, name := range []string{"PK", "SK", "EntityType", "GSI1-PK", "GSI1-SK", "GSI2-PK", "GSI2-SK"} {
			cell := "-"
			if s, ok := item[name].(*types.AttributeValueMemberS); ok {
				cell = s.Value
			}
			cells = append(cells, cell)
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	slices.Sort(lines)
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// putText stores an item of strings with the SDK alone.
func putText(t *testing.T, client *dynamodb.Client, table string, row map[string]string) {
	t.Helper()
	item := map[string]types.AttributeValue{}
	for name, value := range row {
		item[name] = text(value)
	}
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
}

// itemsByKey returns the items of a table by PK/SK. It reads them with the SDK alone.
func itemsByKey(t *testing.T, client *dynamodb.Client, table string) map[string]map[string]types.AttributeValue {
	t.Helper()
	out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	items := map[string]map[string]types.AttributeValue{}
	for _, item := range out.Items {
		items[stringOf(item["PK"])+"/"+stringOf(item["SK"])] = item
	}
	return items
}

// putLegacy stores an item again with the type with which it was read.
func putLegacy(t *testing.T, table *entity.Table, item any) error {
	t.Helper()
	ctx := t.Context()
	switch v := item.(type) {
	case legacyCustomer:
		return legacyCustomers.In(table).Put(ctx, &v)
	case legacyProduct:
		return legacyProducts.In(table).Put(ctx, &v)
	case legacyWarehouse:
		return legacyWarehouses.In(table).Put(ctx, &v)
	case legacyStock:
		return legacyStocks.In(table).Put(ctx, &v)
	case legacyOrder:
		return legacyOrders.In(table).Put(ctx, &v)
	case legacyOrderItem:
		return legacyOrderItems.In(table).Put(ctx, &v)
	case legacyInvoice:
		return legacyInvoices.In(table).Put(ctx, &v)
	case legacyShipment:
		return legacyShipments.In(table).Put(ctx, &v)
	case legacyShipmentItem:
		return legacyShipmentItems.In(table).Put(ctx, &v)
	default:
		require.Failf(t, "an item of no type", "%T", item)
		return nil
	}
}
