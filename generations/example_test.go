package generations_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
)

// PriceList is the pointer item of the prices of a shop.
type PriceList struct {
	_    entity.Key `type:"price-list" pk:"SHOP#<shop>" sk:"PRICES"`
	Shop string     `dynamodbav:"shop"`
	From string     `dynamodbav:"from"`
	generations.Pointer
}

// Price is the price of a product. The prices of one generation are in one partition.
type Price struct {
	_          entity.Key `type:"price" pk:"PRICES#<shop>#<generation>" sk:"<product>"`
	Shop       string     `dynamodbav:"shop"`
	Generation string     `dynamodbav:"generation"`
	Product    string     `dynamodbav:"product"`
	Cents      int        `dynamodbav:"cents"`
}

var (
	Shops  = entity.NewSchema(entity.Config{})
	Lists  = entity.Define[PriceList](Shops)
	Prices = entity.Define[Price](Shops)

	From = attr.Must(func(l *PriceList) *string { return &l.From })
)

// All prices of a shop change at once, more than a transaction can write. A customer sees the old
// prices or the new ones.
func Example_moreThan100Items() {
	ctx := context.Background()
	table, err := Shops.Open(ddbtest.New(ddbtest.Options{}).Client(), "shops")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	prices := generations.New(Lists.In(table), Prices.In(table), func(p *Price, l PriceList, generation string) {
		p.Shop, p.Generation = l.Shop, generation
	}, generations.Config{})

	list := make([]Price, 250)
	for i := range list {
		list[i] = Price{Product: fmt.Sprintf("P%03d", i), Cents: 1000}
	}
	old, err := prices.Upsert(ctx, PriceList{Shop: "oslo"}, generations.Slice(list), From.Set("May"))
	if err != nil {
		log.Fatal(err)
	}
	for i := range list {
		list[i].Cents = 1200
	}
	if _, err := prices.Replace(ctx, old, generations.Slice(list), From.Set("June")); err != nil {
		log.Fatal(err)
	}
	now, read, err := prices.Read(ctx, PriceList{Shop: "oslo"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d prices from %s: %s costs %d\n", len(read), now.From, read[0].Product, read[0].Cents)

	_, err = prices.Replace(ctx, old, generations.Slice(list))
	fmt.Println("the prices that were read are no longer current:", errors.Is(err, trestle.ErrStale))
	// Output:
	// 250 prices from June: P000 costs 1200
	// the prices that were read are no longer current: true
}
