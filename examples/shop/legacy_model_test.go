package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
)

// This is the shop's table as another program made it. It has raw keys and hyphens in the attribute
// names of the indexes. Numbers are strings, times have no zone, and IDs are in keys only.
var (
	legacySchema        = entity.NewSchema(legacyConfig("GSI1", "GSI2"))
	legacyCustomers     = entity.Define[legacyCustomer](legacySchema)
	legacyProducts      = entity.Define[legacyProduct](legacySchema)
	legacyWarehouses    = entity.Define[legacyWarehouse](legacySchema)
	legacyStocks        = entity.Define[legacyStock](legacySchema)
	legacyOrders        = entity.Define[legacyOrder](legacySchema)
	legacyOrderItems    = entity.Define[legacyOrderItem](legacySchema)
	legacyInvoices      = entity.Define[legacyInvoice](legacySchema)
	legacyShipments     = entity.Define[legacyShipment](legacySchema)
	legacyShipmentItems = entity.Define[legacyShipmentItem](legacySchema)

	legacyPaidOf = entity.Project[legacyPaid](legacyInvoices)

	legacyItemDate    = attr.Must(func(i *legacyOrderItem) *time.Time { return &i.Date })
	legacyInvoiceDate = attr.Must(func(i *legacyInvoice) *string { return &i.Date })
)

const legacyLayout = "2006-01-02T15:04:05"

func legacyConfig(indexes ...string) entity.Config {
	c := entity.Config{Raw: true, TypeAttribute: "EntityType", WriteID: entity.None, Formats: map[string]keys.Format{"iso": wholeSeconds}}
	for _, name := range indexes {
		c.Indexes = append(c.Indexes, entity.IndexConfig{
			Name: name, Partition: []entity.Attribute{entity.S(name + "-PK")}, Sort: []entity.Attribute{entity.S(name + "-SK")},
		})
	}
	return c
}

// wholeSeconds formats times that are in keys only. It rejects times with a fraction of a second.
// The format of keys.Layout would drop the fraction.
var wholeSeconds = keys.Format{
	Kinds: []keys.Kind{keys.KindTime}, Ordered: true, Lossless: true, Width: len(legacyLayout), Alphabet: "0123456789-:T",
	Encode: func(v keys.Value) (string, error) {
		t := v.Time().UTC()
		if t.Nanosecond() != 0 || t.Year() < 0 || t.Year() > 9999 {
			return "", errors.New("not a whole second of a year of four digits")
		}
		return t.Format(legacyLayout), nil
	},
	Decode: func(text string) (keys.Value, error) {
		t, err := time.Parse(legacyLayout, text)
		return keys.Time(t), err
	},
}

// digits is a number that is stored as a string. It also reads numbers, so that a table can be
// migrated item by item.
type digits int

func (d digits) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberS{Value: strconv.Itoa(int(d))}, nil
}

func (d *digits) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	text := ""
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		text = v.Value
	case *types.AttributeValueMemberN:
		text = v.Value
	}
	n, err := strconv.Atoi(text)
	*d = digits(n)
	return err
}

type legacyCustomer struct {
	_     entity.Key `type:"customer" pk:"c#<id>" sk:"c#<id>"`
	ID    string     `dynamodbav:"id" entity:"key"`
	Email string
	Name  string
}

type legacyProduct struct {
	_      entity.Key `type:"product" pk:"p#<id>" sk:"p#<id>"`
	ID     string     `dynamodbav:"id" entity:"key"`
	Detail struct{ Name, Description string }
	Price  digits
}

type legacyAddress struct{ Country, County, City, Street, Number, ZipCode string }

type legacyWarehouse struct {
	_       entity.Key `type:"warehouse" pk:"w#<id>" sk:"w#<id>"`
	ID      string     `dynamodbav:"id" entity:"key"`
	Address legacyAddress
}

type legacyStock struct {
	_         entity.Key   `type:"warehouseItem" pk:"p#<product>" sk:"w#<warehouse>"`
	_         entity.Index `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse>" sk:"p#<product>"`
	Product   string       `dynamodbav:"product" entity:"key"`
	Warehouse string       `dynamodbav:"warehouse" entity:"key"`
	Quantity  digits
}

type legacyOrder struct {
	_        entity.Key `type:"order" pk:"o#<id>" sk:"c#<customer>"`
	ID       string     `dynamodbav:"id" entity:"key"`
	Customer string     `dynamodbav:"customer" entity:"key"`
	Date     string
}

// legacyOrderItem has its time only in the keys of two indexes.
type legacyOrderItem struct {
	_        entity.Key   `type:"orderItem" pk:"o#<order>" sk:"p#<product>"`
	_        entity.Index `name:"by-product" on:"GSI1" pk:"p#<product>" sk:"<date:iso>"`
	_        entity.Index `name:"by-customer" on:"GSI2" pk:"c#<customer>" sk:"p#<date:iso>"`
	Order    string       `dynamodbav:"order" entity:"key"`
	Product  string       `dynamodbav:"product" entity:"key"`
	Customer string       `dynamodbav:"customer" entity:"key"`
	Date     time.Time    `dynamodbav:"date" entity:"key"`
	Quantity digits
	Price    digits
}

// legacyInvoice has its time as a string.
type legacyInvoice struct {
	_        entity.Key   `type:"invoice" pk:"o#<order>" sk:"i#<id>"`
	_        entity.Index `name:"by-id" on:"GSI1" pk:"i#<id>" sk:"i#<id>"`
	_        entity.Index `name:"by-customer" on:"GSI2" pk:"c#<customer>" sk:"i#<Date>"`
	Order    string       `dynamodbav:"order" entity:"key"`
	ID       string       `dynamodbav:"id" entity:"key"`
	Customer string       `dynamodbav:"customer" entity:"key"`
	Date     string
	Amount   digits
	Detail   legacyDetail
}

type legacyDetail struct{ Payments []legacyPayment }

type legacyPayment struct {
	Type   string
	Amount digits
}

type legacyPaid struct{ Detail legacyDetail }

type legacyShipment struct {
	_         entity.Key   `type:"shipment" pk:"o#<order>" sk:"sh#<id>"`
	_         entity.Index `name:"by-id" on:"GSI1" pk:"sh#<id>" sk:"sh#<id>"`
	_         entity.Index `name:"by-warehouse" on:"GSI2" pk:"w#<warehouse>" sk:"sh#<id>"`
	Order     string       `dynamodbav:"order" entity:"key"`
	ID        string       `dynamodbav:"id" entity:"key"`
	Warehouse string       `dynamodbav:"warehouse" entity:"key"`
	Type      string
	Date      string
	Address   legacyAddress
}

type legacyShipmentItem struct {
	_        entity.Key   `type:"shipmentItem" pk:"o#<order>" sk:"shp#<id>"`
	_        entity.Index `name:"by-shipment" on:"GSI1" pk:"sh#<shipment>" sk:"p#<product>"`
	Order    string       `dynamodbav:"order" entity:"key"`
	ID       string       `dynamodbav:"id" entity:"key"`
	Shipment string       `dynamodbav:"shipment" entity:"key"`
	Product  string       `dynamodbav:"product" entity:"key"`
	Quantity digits
}

// This is a later version of the table. The sort keys of GSI2 have no prefix, so that one range of
// time has all activity of a customer.
var (
	activitySchema   = entity.NewSchema(legacyConfig("GSI2"))
	activityItems    = entity.Define[activityItem](activitySchema)
	activityInvoices = entity.Define[activityInvoice](activitySchema)

	activityDate = attr.Must(func(i *activityItem) *time.Time { return &i.Date })
)

type activityItem struct {
	_        entity.Key   `type:"orderItem" pk:"o#<order>" sk:"p#<product>"`
	_        entity.Index `name:"activity" on:"GSI2" pk:"c#<customer>" sk:"<date:iso>" shared:"yes"`
	Order    string       `dynamodbav:"order" entity:"key"`
	Product  string       `dynamodbav:"product" entity:"key"`
	Customer string       `dynamodbav:"customer" entity:"key"`
	Date     time.Time    `dynamodbav:"date" entity:"key"`
}

type activityInvoice struct {
	_        entity.Key   `type:"invoice" pk:"o#<order>" sk:"i#<id>"`
	_        entity.Index `name:"activity" on:"GSI2" pk:"c#<customer>" sk:"<date:iso>" shared:"yes"`
	Order    string       `dynamodbav:"order" entity:"key"`
	ID       string       `dynamodbav:"id" entity:"key"`
	Customer string       `dynamodbav:"customer" entity:"key"`
	Date     time.Time    `dynamodbav:"date" entity:"key"`
}
