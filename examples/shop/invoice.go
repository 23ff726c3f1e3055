package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Invoice is the invoice of an order. GSI1 finds it by its ID alone.
type Invoice struct {
	_          entity.Key   `type:"invoice" pk:"o#<order_id>" sk:"i#<id>"`
	_          entity.Index `name:"by-id" on:"GSI1" pk:"i#<id>" sk:"i#<id>"`
	_          entity.Index `name:"by-customer" on:"GSI2" pk:"c#<customer_id>" sk:"i#<issued_at:s>"`
	_          entity.Index `name:"activity" on:"GSI3" pk:"c#<customer_id>" sk:"<issued_at:s>" shared:"yes"`
	OrderID    string       `dynamodbav:"order_id"`
	ID         string       `dynamodbav:"id"`
	CustomerID string       `dynamodbav:"customer_id"`
	IssuedAt   time.Time    `dynamodbav:"issued_at"`
	Amount     int          `dynamodbav:"amount"`
	Payments   []Payment    `dynamodbav:"payments"`
}

// Payment is a paid part of an invoice's amount and the means of payment.
type Payment struct {
	Means  string `dynamodbav:"means"`
	Amount int    `dynamodbav:"amount"`
}

// Paid is the projection of an invoice to its payments.
type Paid struct {
	Payments []Payment `dynamodbav:"payments"`
}

var IssuedAt = attr.Must(func(i *Invoice) *time.Time { return &i.IssuedAt })
