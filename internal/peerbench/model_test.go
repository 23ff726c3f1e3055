package peerbench

import (
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Order is an item of 18 attributes and about 1,010 bytes, including its keys and its type.
type Order struct {
	_         entity.Key   `type:"order" pk:"CUS#<customer>" sk:"ORD#<id>"`
	_         entity.Index `name:"by-day" on:"GSI1" pk:"CUS#<customer>" sk:"DAY#<placed_at:day>#<id>"`
	Customer  string       `dynamodbav:"customer"`
	ID        string       `dynamodbav:"id"`
	PlacedAt  time.Time    `dynamodbav:"placed_at"`
	Status    string       `dynamodbav:"status"`
	Total     int64        `dynamodbav:"total"`
	Weight    float64      `dynamodbav:"weight"`
	Paid      bool         `dynamodbav:"paid"`
	Street    string       `dynamodbav:"street"`
	City      string       `dynamodbav:"city"`
	Note      string       `dynamodbav:"note"`
	Tags      []string     `dynamodbav:"tags"`
	Line      Line         `dynamodbav:"line"`
	UpdatedAt time.Time    `dynamodbav:"updated_at"`
}

// Parcel is an item in the item collection of an order, with the same attributes.
type Parcel struct {
	_         entity.Key   `type:"parcel" pk:"CUS#<customer>" sk:"PAR#<id>"`
	_         entity.Index `name:"by-day" on:"GSI1" pk:"CUS#<customer>" sk:"PDAY#<placed_at:day>#<id>"`
	Customer  string       `dynamodbav:"customer"`
	ID        string       `dynamodbav:"id"`
	PlacedAt  time.Time    `dynamodbav:"placed_at"`
	Status    string       `dynamodbav:"status"`
	Total     int64        `dynamodbav:"total"`
	Weight    float64      `dynamodbav:"weight"`
	Paid      bool         `dynamodbav:"paid"`
	Street    string       `dynamodbav:"street"`
	City      string       `dynamodbav:"city"`
	Note      string       `dynamodbav:"note"`
	Tags      []string     `dynamodbav:"tags"`
	Line      Line         `dynamodbav:"line"`
	UpdatedAt time.Time    `dynamodbav:"updated_at"`
}

// Line is a map within an order.
type Line struct {
	SKU   string `dynamodbav:"sku"`
	Count int    `dynamodbav:"count"`
}

// Reading is an item of 8 attributes and about 223 bytes.
type Reading struct {
	_       entity.Key `type:"reading" pk:"DEV#<device>" sk:"AT#<at:s>"`
	Device  string     `dynamodbav:"device"`
	At      time.Time  `dynamodbav:"at"`
	Celsius float64    `dynamodbav:"celsius"`
	Volts   float64    `dynamodbav:"volts"`
	State   string     `dynamodbav:"state"`
}

var (
	schema   = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	orders   = entity.Define[Order](schema)
	_        = entity.Define[Parcel](schema)
	readings = entity.Define[Reading](schema)

	placedAt = attr.Must(func(o *Order) *time.Time { return &o.PlacedAt })
)

var epoch = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func orderOf(i int) Order {
	return Order{
		Customer: "c001", ID: fmt.Sprintf("%06d", i), PlacedAt: epoch.Add(time.Duration(i) * time.Minute), Status: "shipped", Total: int64(1999 + i),
		Weight: 12.5, Paid: true, Street: "12 Harbor Street", City: "Bergen", Note: strings.Repeat("fragile, this side up. ", 22),
		Tags: []string{"gift", "express"}, Line: Line{SKU: "SKU-1234", Count: 3}, UpdatedAt: epoch,
	}
}

func readingOf(i int) Reading {
	return Reading{Device: "d-77", At: epoch.Add(time.Duration(i) * time.Second), Celsius: 21.5, Volts: 3.3, State: strings.Repeat("NORMAL ", 6)}
}
