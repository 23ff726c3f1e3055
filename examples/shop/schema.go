package main

import "github.com/trestledb/trestle/entity"

// Schema is the shop's table. GSI1 finds by product, and by the ids of invoices and shipments; GSI2 by warehouse and by customer: what a key
// is about is said by its prefix. GSI3 has what a customer did, in the order of time.
var (
	Schema        = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}, {Name: "GSI3"}}})
	Customers     = entity.Define[Customer](Schema)
	Products      = entity.Define[Product](Schema)
	Warehouses    = entity.Define[Warehouse](Schema)
	Stocks        = entity.Define[Stock](Schema)
	Orders        = entity.Define[Order](Schema)
	OrderItems    = entity.Define[OrderItem](Schema)
	Invoices      = entity.Define[Invoice](Schema)
	Shipments     = entity.Define[Shipment](Schema)
	ShipmentItems = entity.Define[ShipmentItem](Schema)

	PaidOf = entity.Project[Paid](Invoices)
)
