package main

import "context"

func (s Store) AddCustomer(ctx context.Context, c *Customer) error { return s.customers.Create(ctx, c) }
func (s Store) AddProduct(ctx context.Context, p *Product) error   { return s.products.Create(ctx, p) }
func (s Store) AddWarehouse(ctx context.Context, w *Warehouse) error {
	return s.warehouses.Create(ctx, w)
}
func (s Store) AddStock(ctx context.Context, i *Stock) error { return s.stocks.Create(ctx, i) }
func (s Store) AddOrder(ctx context.Context, o *Order) error { return s.orders.Create(ctx, o) }
func (s Store) AddOrderItem(ctx context.Context, i *OrderItem) error {
	return s.orderItems.Create(ctx, i)
}
func (s Store) AddInvoice(ctx context.Context, i *Invoice) error   { return s.invoices.Create(ctx, i) }
func (s Store) AddShipment(ctx context.Context, p *Shipment) error { return s.shipments.Create(ctx, p) }
func (s Store) AddShipmentItem(ctx context.Context, i *ShipmentItem) error {
	return s.shipmentItems.Create(ctx, i)
}
