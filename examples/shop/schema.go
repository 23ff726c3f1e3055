package main

import "github.com/trestledb/trestle/entity"

// Schema is the shop's table. GSI1 finds items by product, invoice ID and shipment ID. GSI2 finds
// items by warehouse and customer. The prefix of the partition key distinguishes them. GSI3 has the
// activity of a customer, sorted by time.
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
