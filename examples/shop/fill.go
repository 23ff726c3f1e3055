package main

import (
	"context"
	"errors"
	"time"
)

// fill stores nineteen items: three customers, two products in two warehouses, and an order with
// its invoice and two shipments.
func fill(ctx context.Context, s Store) error {
	return errors.Join(fillCatalog(ctx, s), fillOrder(ctx, s), fillShipments(ctx, s))
}

func fillCatalog(ctx context.Context, s Store) error {
	return errors.Join(
		s.AddCustomer(ctx, &Customer{ID: "12345", Name: "Samaneh", Email: "samaneh@example.com"}),
		s.AddCustomer(ctx, &Customer{ID: "23456", Name: "Kathleen", Email: "kathleen@example.com"}),
		s.AddCustomer(ctx, &Customer{ID: "54321", Name: "Henrik", Email: "henrik@example.com"}),
		s.AddProduct(ctx, &Product{ID: "12345", Name: "Options Open", Description: "The latest album", Price: 100}),
		s.AddProduct(ctx, &Product{ID: "99887", Name: "The Book", Description: "The best book ever", Price: 40}),
		s.AddWarehouse(ctx, &Warehouse{ID: "12345", Address: inSweden("Goteborg", "MainStreet", "41111")}),
		s.AddWarehouse(ctx, &Warehouse{ID: "12376", Address: inSweden("Boras", "RiverStreet", "11111")}),
		s.AddStock(ctx, &Stock{ProductID: "12345", WarehouseID: "12345", Quantity: 50}),
		s.AddStock(ctx, &Stock{ProductID: "99887", WarehouseID: "12345", Quantity: 4}),
		s.AddStock(ctx, &Stock{ProductID: "99887", WarehouseID: "12376", Quantity: 4}),
	)
}

func fillOrder(ctx context.Context, s Store) error {
	const order, customer = "12345", "12345"
	return errors.Join(
		s.AddOrder(ctx, &Order{ID: order, CustomerID: customer, PlacedAt: june(21, 19, 10)}),
		s.AddOrderItem(ctx, &OrderItem{OrderID: order, ProductID: "12345", CustomerID: customer, OrderedAt: june(21, 19, 18), Quantity: 2, Price: 100}),
		s.AddOrderItem(ctx, &OrderItem{OrderID: order, ProductID: "99887", CustomerID: customer, OrderedAt: june(21, 19, 20), Quantity: 5, Price: 40}),
		s.AddInvoice(ctx, &Invoice{
			OrderID: order, ID: "55443", CustomerID: customer, IssuedAt: june(21, 19, 18), Amount: 400,
			Payments: []Payment{{Means: "GiftCard", Amount: 100}, {Means: "MasterCard", Amount: 300}},
		}),
	)
}

func fillShipments(ctx context.Context, s Store) error {
	const order = "12345"
	home := inSweden("Stockholm", "HomeStreet", "11122")
	return errors.Join(
		s.AddShipment(ctx, &Shipment{OrderID: order, ID: "88899", WarehouseID: "12376", Type: "Express", SentAt: june(22, 8, 20), Address: home}),
		s.AddShipment(ctx, &Shipment{OrderID: order, ID: "98765", WarehouseID: "12345", Type: "Express", SentAt: june(22, 10, 20), Address: home}),
		s.AddShipmentItem(ctx, &ShipmentItem{OrderID: order, ID: "55555", ShipmentID: "98765", ProductID: "12345", Quantity: 2}),
		s.AddShipmentItem(ctx, &ShipmentItem{OrderID: order, ID: "12345", ShipmentID: "98765", ProductID: "99887", Quantity: 3}),
		s.AddShipmentItem(ctx, &ShipmentItem{OrderID: order, ID: "54321", ShipmentID: "88899", ProductID: "99887", Quantity: 2}),
	)
}

func inSweden(city, street, postCode string) Address {
	county := "Vastra Gotaland"
	if city == "Stockholm" {
		county = "Stockholm"
	}
	return Address{Country: "Sweden", County: county, City: city, Street: street, Number: "20", PostCode: postCode}
}

func june(day, hour, minute int) time.Time {
	return time.Date(2020, time.June, day, hour, minute, 0, 0, time.UTC)
}
