package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. It has one method per access pattern. The rest of the service
// uses only its methods.
type Store struct {
	customers     *entity.Repo[Customer]
	products      *entity.Repo[Product]
	warehouses    *entity.Repo[Warehouse]
	stocks        *entity.Repo[Stock]
	orders        *entity.Repo[Order]
	orderItems    *entity.Repo[OrderItem]
	invoices      *entity.Repo[Invoice]
	shipments     *entity.Repo[Shipment]
	shipmentItems *entity.Repo[ShipmentItem]
}

func NewStore(t *entity.Table) Store {
	return Store{
		Customers.In(t), Products.In(t), Warehouses.In(t), Stocks.In(t), Orders.In(t),
		OrderItems.In(t), Invoices.In(t), Shipments.In(t), ShipmentItems.In(t),
	}
}

// Customer is pattern 1: a customer by ID.
func (s Store) Customer(ctx context.Context, id string) (Customer, error) {
	return s.customers.Get(ctx, Customer{ID: id})
}

// Product is pattern 2: a product by ID.
func (s Store) Product(ctx context.Context, id string) (Product, error) {
	return s.products.Get(ctx, Product{ID: id})
}

// Warehouse is pattern 3: a warehouse by ID.
func (s Store) Warehouse(ctx context.Context, id string) (Warehouse, error) {
	return s.warehouses.Get(ctx, Warehouse{ID: id})
}

// StockOf is pattern 4: the inventory of a product in all warehouses.
func (s Store) StockOf(ctx context.Context, product string) iter.Seq2[Stock, error] {
	return query.Of(s.stocks, Stock{ProductID: product}).All(ctx)
}

// OrderDetail is an order with all its parts.
type OrderDetail struct {
	Order         Order
	Items         []OrderItem
	Invoice       *Invoice
	Shipments     []Shipment
	ShipmentItems []ShipmentItem
}

// Order is pattern 5: an order with all its parts, with one query.
func (s Store) Order(ctx context.Context, id string) (o OrderDetail, err error) {
	err = query.Load(ctx, query.Of(s.orders, Order{ID: id}).Collection(), &o)
	return o, err
}

// ItemsOf is pattern 6: the products of an order.
func (s Store) ItemsOf(ctx context.Context, order string) iter.Seq2[OrderItem, error] {
	return query.Of(s.orderItems, OrderItem{OrderID: order}).All(ctx)
}

// InvoiceOf is pattern 7: the invoice of an order.
func (s Store) InvoiceOf(ctx context.Context, order string) (Invoice, error) {
	return query.Of(s.invoices, Invoice{OrderID: order}).One(ctx)
}

// ShipmentsOf is pattern 8: the shipments of an order.
func (s Store) ShipmentsOf(ctx context.Context, order string) ([]Shipment, error) {
	return query.Of(s.shipments, Shipment{OrderID: order}).Collect(ctx)
}

// Sales is pattern 9: the orders of a product in a period.
func (s Store) Sales(ctx context.Context, product string, when attr.Period) iter.Seq2[OrderItem, error] {
	return s.sales(product, when).All(ctx)
}

// ExplainSales returns the request of pattern 9 and its estimated cost.
func (s Store) ExplainSales(product string, when attr.Period) (trestle.Explanation, error) {
	return s.sales(product, when).Explain(trestle.Assumption{Items: 1000, ItemSize: 250})
}

func (s Store) sales(product string, when attr.Period) query.Query[OrderItem] {
	return query.On(s.orderItems, "by-product", OrderItem{ProductID: product}).Where(attr.During(OrderedAt, when))
}

// Invoice is pattern 10: an invoice by ID.
func (s Store) Invoice(ctx context.Context, id string) (Invoice, error) {
	return s.invoice(id).One(ctx)
}

// Payments is pattern 11: the payments of an invoice. A projection omits the other attributes.
func (s Store) Payments(ctx context.Context, invoice string) ([]Payment, error) {
	p, err := query.As(s.invoice(invoice), PaidOf).One(ctx)
	return p.Payments, err
}

func (s Store) invoice(id string) query.Query[Invoice] {
	return query.On(s.invoices, "by-id", Invoice{ID: id})
}

// ShipmentDetail is a shipment with its items.
type ShipmentDetail struct {
	Shipment Shipment
	Items    []ShipmentItem
}

// Shipment is pattern 12: a shipment with its items, with one query of a partition of GSI1.
func (s Store) Shipment(ctx context.Context, id string) (d ShipmentDetail, err error) {
	err = query.Load(ctx, query.On(s.shipments, "by-id", Shipment{ID: id}).Collection(), &d)
	return d, err
}

// ShipmentsFrom is pattern 13: the shipments of a warehouse.
func (s Store) ShipmentsFrom(ctx context.Context, warehouse string) iter.Seq2[Shipment, error] {
	return query.On(s.shipments, "by-warehouse", Shipment{WarehouseID: warehouse}).All(ctx)
}

// StockIn is pattern 14: the inventory of a warehouse.
func (s Store) StockIn(ctx context.Context, warehouse string) iter.Seq2[Stock, error] {
	return s.stockIn(warehouse).All(ctx)
}

// CountStockIn returns the number of products in a warehouse. The response has no items.
func (s Store) CountStockIn(ctx context.Context, warehouse string) (int, error) {
	return s.stockIn(warehouse).Count(ctx)
}

func (s Store) stockIn(warehouse string) query.Query[Stock] {
	return query.On(s.stocks, "by-warehouse", Stock{WarehouseID: warehouse})
}

// InvoicesTo is pattern 15: the invoices of a customer in a period.
func (s Store) InvoicesTo(ctx context.Context, customer string, when attr.Period) iter.Seq2[Invoice, error] {
	return query.On(s.invoices, "by-customer", Invoice{CustomerID: customer}).Where(attr.During(IssuedAt, when)).All(ctx)
}

// Purchases is pattern 16: the products that a customer ordered in a period, at most size per page.
// cursor is the Next of the previous page, or "" for the first page.
func (s Store) Purchases(ctx context.Context, customer string, when attr.Period, size int, cursor string) (query.Page[OrderItem], error) {
	ordered := query.On(s.orderItems, "by-customer", OrderItem{CustomerID: customer}).Where(attr.During(OrderedAt, when))
	return ordered.Limit(size).Page(ctx, cursor)
}

// Activity is pattern 17: the activity of a customer in a period, or only the items of some types.
// Items of other types are read and then dropped. The condition on OrderedAt also applies to
// invoices, because both types write the sort key of GSI3 in the same way.
func (s Store) Activity(ctx context.Context, customer string, when attr.Period, types ...query.EntityType) iter.Seq2[any, error] {
	did := query.On(s.orderItems, "activity", OrderItem{CustomerID: customer}).Where(attr.During(OrderedAt, when))
	return query.Items(ctx, did.Collection().Types(types...))
}
