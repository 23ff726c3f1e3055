package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Order is the first entity of a partition that also has its items, invoice and shipments.
type Order struct {
	_          entity.Key `type:"order" pk:"o#<id>" sk:"c#<customer_id>"`
	ID         string     `dynamodbav:"id"`
	CustomerID string     `dynamodbav:"customer_id"`
	PlacedAt   time.Time  `dynamodbav:"placed_at"`
}

// OrderItem is a product in an order.
type OrderItem struct {
	_          entity.Key   `type:"orderItem" pk:"o#<order_id>" sk:"p#<product_id>"`
	_          entity.Index `name:"by-product" on:"GSI1" pk:"p#<product_id>" sk:"<ordered_at:s>"`
	_          entity.Index `name:"by-customer" on:"GSI2" pk:"c#<customer_id>" sk:"p#<ordered_at:s>"`
	_          entity.Index `name:"activity" on:"GSI3" pk:"c#<customer_id>" sk:"<ordered_at:s>" shared:"yes"`
	OrderID    string       `dynamodbav:"order_id"`
	ProductID  string       `dynamodbav:"product_id"`
	CustomerID string       `dynamodbav:"customer_id"`
	OrderedAt  time.Time    `dynamodbav:"ordered_at"`
	Quantity   int          `dynamodbav:"quantity"`
	Price      int          `dynamodbav:"price"`
}

var OrderedAt = attr.Must(func(i *OrderItem) *time.Time { return &i.OrderedAt })
