package tx_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// Product is what a shop sells.
type Product struct {
	_     entity.Key `type:"product" pk:"PRODUCT#<sku>" sk:"PRODUCT"`
	SKU   string     `dynamodbav:"sku"`
	Stock int        `dynamodbav:"stock"`
}

// Purchase is a product that a customer bought.
type Purchase struct {
	_        entity.Key `type:"purchase" pk:"CUSTOMER#<customer>" sk:"PURCHASE#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
	SKU      string     `dynamodbav:"sku"`
}

var (
	Shop      = entity.NewSchema(entity.Config{})
	Products  = entity.Define[Product](Shop)
	Purchases = entity.Define[Purchase](Shop)

	Stock = attr.Must(func(p *Product) *int { return &p.Stock })
)

// A purchase is stored only if the product is in stock, and takes it from the stock. If the last
// one is gone, neither happens.
func Example_purchase() {
	ctx := context.Background()
	table, err := Shop.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	products, purchases := Products.In(table), Purchases.In(table)
	if err := products.Create(ctx, &Product{SKU: "lamp", Stock: 1}); err != nil {
		log.Fatal(err)
	}

	buy := func(p Purchase) error {
		return tx.Write(ctx,
			purchases.Op().Create(&p),
			products.Op().Update(Product{SKU: p.SKU}, attr.Add(Stock, -1), attr.If(Stock.Ge(1))),
		)
	}
	for _, customer := range []string{"ann", "bob"} {
		err := buy(Purchase{Customer: customer, ID: "1", SKU: "lamp"})
		switch product, met := entity.ItemFromError[Product](err); {
		case err == nil:
			fmt.Println(customer, "bought the lamp")
		case errors.Is(err, trestle.ErrCondition) && met:
			fmt.Println(customer, "is too late:", product.Stock, "left")
		default:
			log.Fatal(err)
		}
	}

	var product *Product
	var first, second *Purchase
	err = tx.Read(ctx,
		tx.Get(products, Product{SKU: "lamp"}, &product),
		tx.Get(purchases, Purchase{Customer: "ann", ID: "1"}, &first),
		tx.Get(purchases, Purchase{Customer: "bob", ID: "1"}, &second),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(product.Stock, "in stock; bought by ann:", first != nil, "by bob:", second != nil)
	// Output:
	// ann bought the lamp
	// bob is too late: 0 left
	// 0 in stock; bought by ann: true by bob: false
}
