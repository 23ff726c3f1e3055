package main

import (
	"time"

	"github.com/trestledb/trestle/entity"
)

// Shipment is a delivery from a warehouse for an order. GSI1 has a partition with the shipment and
// its items. GSI2 finds shipments by warehouse.
type Shipment struct {
	_           entity.Key   `type:"shipment" pk:"o#<order_id>" sk:"sh#<id>"`
	_           entity.Index `name:"by-id" on:"GSI1" pk:"sh#<id>" sk:"sh#<id>"`
	_           entity.Index `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse_id>" sk:"sh#<id>"`
	OrderID     string       `dynamodbav:"order_id"`
	ID          string       `dynamodbav:"id"`
	WarehouseID string       `dynamodbav:"warehouse_id"`
	Type        string       `dynamodbav:"type"`
	SentAt      time.Time    `dynamodbav:"sent_at"`
	Address     Address      `dynamodbav:"address"`
}

// ShipmentItem is a product in a shipment. Its sort key prefix shp# begins like the prefix sh# of a
// shipment, but no read of shipments returns it.
type ShipmentItem struct {
	_          entity.Key   `type:"shipmentItem" pk:"o#<order_id>" sk:"shp#<id>"`
	_          entity.Index `name:"by-shipment" on:"GSI1" pk:"sh#<shipment_id>" sk:"p#<product_id>"`
	OrderID    string       `dynamodbav:"order_id"`
	ID         string       `dynamodbav:"id"`
	ShipmentID string       `dynamodbav:"shipment_id"`
	ProductID  string       `dynamodbav:"product_id"`
	Quantity   int          `dynamodbav:"quantity"`
}
