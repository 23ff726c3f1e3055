package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "shop", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, fill(t.Context(), s))
		patterns := append(catalogCosts(s), orderCosts(s)...)
		return table.Name(), append(append(patterns, customerCosts(s)...), writeCosts(s, text)...)
	})
}

func catalogCosts(s Store) []costs.Pattern {
	const id = "12345"
	return []costs.Pattern{
		costs.Of("1 customer", func(ctx context.Context) error { return costs.Err(s.Customer(ctx, id)) }, costtest.Get(s.customers, Customer{ID: id})),
		costs.Of("2 product", func(ctx context.Context) error { return costs.Err(s.Product(ctx, id)) }, costtest.Get(s.products, Product{ID: id})),
		costs.Of("3 warehouse", func(ctx context.Context) error { return costs.Err(s.Warehouse(ctx, id)) },
			costtest.Get(s.warehouses, Warehouse{ID: id})),
		costs.Of("4 stock of a product", func(ctx context.Context) error { return costs.ReadAll(s.StockOf(ctx, "99887")) },
			costtest.Query(query.Of(s.stocks, Stock{ProductID: "99887"}))),
		costs.Of("13 shipments from a warehouse", func(ctx context.Context) error { return costs.ReadAll(s.ShipmentsFrom(ctx, id)) },
			costtest.Query(query.On(s.shipments, "by-warehouse", Shipment{WarehouseID: id}))),
		costs.Of("14 stock in a warehouse", func(ctx context.Context) error { return costs.ReadAll(s.StockIn(ctx, id)) }, costtest.Query(s.stockIn(id))),
		costs.Of("14 count of the stock", func(ctx context.Context) error { return costs.Err(s.CountStockIn(ctx, id)) }, costtest.Query(s.stockIn(id))),
	}
}

func orderCosts(s Store) []costs.Pattern {
	const order, invoice, shipment = "12345", "55443", "98765"
	return []costs.Pattern{
		costs.Of("5 order", func(ctx context.Context) error { return costs.Err(s.Order(ctx, order)) },
			costtest.Query(query.Of(s.orders, Order{ID: order}).Collection())),
		costs.Of("6 products of an order", func(ctx context.Context) error { return costs.ReadAll(s.ItemsOf(ctx, order)) },
			costtest.Query(query.Of(s.orderItems, OrderItem{OrderID: order}))),
		costs.Of("7 invoice of an order", func(ctx context.Context) error { return costs.Err(s.InvoiceOf(ctx, order)) },
			costtest.Query(query.Of(s.invoices, Invoice{OrderID: order}))),
		costs.Of("8 shipments of an order", func(ctx context.Context) error { return costs.Err(s.ShipmentsOf(ctx, order)) },
			costtest.Query(query.Of(s.shipments, Shipment{OrderID: order}))),
		costs.Of("9 sales of a product", func(ctx context.Context) error { return costs.ReadAll(s.Sales(ctx, "99887", theDay)) },
			costtest.Query(s.sales("99887", theDay))),
		costs.Of("10 invoice", func(ctx context.Context) error { return costs.Err(s.Invoice(ctx, invoice)) }, costtest.Query(s.invoice(invoice))),
		costs.Of("11 payments", func(ctx context.Context) error { return costs.Err(s.Payments(ctx, invoice)) },
			costtest.Query(query.As(s.invoice(invoice), PaidOf))),
		costs.Of("12 shipment", func(ctx context.Context) error { return costs.Err(s.Shipment(ctx, shipment)) },
			costtest.Query(query.On(s.shipments, "by-id", Shipment{ID: shipment}).Collection())),
	}
}

func customerCosts(s Store) []costs.Pattern {
	const id = "12345"
	sent := query.On(s.invoices, "by-customer", Invoice{CustomerID: id})
	bought := query.On(s.orderItems, "by-customer", OrderItem{CustomerID: id}).Where(attr.During(OrderedAt, juneOf2020))
	did := query.On(s.orderItems, "activity", OrderItem{CustomerID: id}).Where(attr.During(OrderedAt, juneOf2020)).Collection()
	return []costs.Pattern{
		costs.Of("15 invoices", func(ctx context.Context) error { return costs.ReadAll(s.InvoicesTo(ctx, id, juneOf2020)) },
			costtest.Query(sent.Where(attr.During(IssuedAt, juneOf2020)))),
		costs.Of("15 in the first half", func(ctx context.Context) error { return costs.ReadAll(s.InvoicesTo(ctx, id, firstHalf)) },
			costtest.Query(sent.Where(attr.During(IssuedAt, firstHalf)))),
		costs.Of("16 purchases", func(ctx context.Context) error { return costs.Err(s.Purchases(ctx, id, juneOf2020, 10, "")) },
			costtest.Query(bought.Limit(10))),
		costs.Of("16 one page", func(ctx context.Context) error { return costs.Err(s.Purchases(ctx, id, juneOf2020, 1, "")) },
			costtest.Query(bought.Limit(1))),
		costs.Of("17 activity", func(ctx context.Context) error { return costs.ReadAll(s.Activity(ctx, id, juneOf2020)) }, costtest.Query(did)),
		costs.Of("17 only the invoices", func(ctx context.Context) error { return costs.ReadAll(s.Activity(ctx, id, juneOf2020, Invoices)) },
			costtest.Query(did.Types(Invoices))),
	}
}

func writeCosts(s Store, text string) []costs.Pattern {
	customer := &Customer{ID: "99", Name: text}
	product := &Product{ID: "99", Name: "Shed", Description: text}
	warehouse := &Warehouse{ID: "99", Address: Address{Street: text}}
	stock := &Stock{ProductID: "99", WarehouseID: "99", Quantity: 1}
	order := &Order{ID: "99", CustomerID: "99", PlacedAt: june(23, 8, 0)}
	item := &OrderItem{OrderID: "99", ProductID: "99", CustomerID: "99", OrderedAt: june(23, 8, 0), Quantity: 1, Price: 10}
	invoice := &Invoice{OrderID: "99", ID: "99", CustomerID: "99", IssuedAt: june(23, 8, 0), Payments: []Payment{{Means: text, Amount: 10}}}
	shipment := &Shipment{OrderID: "99", ID: "99", WarehouseID: "99", SentAt: june(24, 8, 0), Address: Address{Street: text}}
	content := &ShipmentItem{OrderID: "99", ID: "98", ShipmentID: "99", ProductID: "99", Quantity: 1}
	return []costs.Pattern{
		costs.Of("add a customer", func(ctx context.Context) error { return s.AddCustomer(ctx, customer) }, costtest.Create(s.customers, customer)),
		costs.Of("add a product", func(ctx context.Context) error { return s.AddProduct(ctx, product) }, costtest.Create(s.products, product)),
		costs.Of("add a warehouse", func(ctx context.Context) error { return s.AddWarehouse(ctx, warehouse) }, costtest.Create(s.warehouses, warehouse)),
		costs.Of("add stock", func(ctx context.Context) error { return s.AddStock(ctx, stock) }, costtest.Create(s.stocks, stock)),
		costs.Of("add an order", func(ctx context.Context) error { return s.AddOrder(ctx, order) }, costtest.Create(s.orders, order)),
		costs.Of("add an order's item", func(ctx context.Context) error { return s.AddOrderItem(ctx, item) }, costtest.Create(s.orderItems, item)),
		costs.Of("add an invoice", func(ctx context.Context) error { return s.AddInvoice(ctx, invoice) }, costtest.Create(s.invoices, invoice)),
		costs.Of("add a shipment", func(ctx context.Context) error { return s.AddShipment(ctx, shipment) }, costtest.Create(s.shipments, shipment)),
		costs.Of("add a shipment's item", func(ctx context.Context) error { return s.AddShipmentItem(ctx, content) },
			costtest.Create(s.shipmentItems, content)),
	}
}
