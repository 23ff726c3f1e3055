package peerbench

import "time"

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
