package peerbench

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

// peerOrder and peerReading are the entities with the struct tags of guregu/dynamo.
type peerOrder struct {
	Customer  string    `dynamo:"customer"`
	ID        string    `dynamo:"id"`
	PlacedAt  time.Time `dynamo:"placed_at"`
	Status    string    `dynamo:"status"`
	Total     int64     `dynamo:"total"`
	Weight    float64   `dynamo:"weight"`
	Paid      bool      `dynamo:"paid"`
	Street    string    `dynamo:"street"`
	City      string    `dynamo:"city"`
	Note      string    `dynamo:"note"`
	Tags      []string  `dynamo:"tags"`
	Line      peerLine  `dynamo:"line"`
	UpdatedAt time.Time `dynamo:"updated_at"`
}

// peerParcel is a parcel with the struct tags of guregu/dynamo.
type peerParcel peerOrder

// peerOfAnyType is an item that guregu/dynamo decodes as the type that the item names.
type peerOfAnyType struct {
	order  *peerOrder
	parcel *peerParcel
}

// UnmarshalDynamoItem decodes an item.
func (p *peerOfAnyType) UnmarshalDynamoItem(item dynamo.Item) error {
	if name, _ := item["_type"].(*types.AttributeValueMemberS); name != nil && name.Value == "order" {
		p.order = &peerOrder{}
		return dynamo.UnmarshalItem(item, p.order)
	}
	p.parcel = &peerParcel{}
	return dynamo.UnmarshalItem(item, p.parcel)
}

func (p *peerOfAnyType) id() string {
	if p.order != nil {
		return p.order.ID
	}
	return p.parcel.ID
}

type peerLine struct {
	SKU   string `dynamo:"sku"`
	Count int    `dynamo:"count"`
}

type peerReading struct {
	Device  string    `dynamo:"device"`
	At      time.Time `dynamo:"at"`
	Celsius float64   `dynamo:"celsius"`
	Volts   float64   `dynamo:"volts"`
	State   string    `dynamo:"state"`
}
