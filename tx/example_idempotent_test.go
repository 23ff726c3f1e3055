package tx_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/tx"
)

// A client sends a request with a key of its own, and sends it again if it gets no reply. The key
// is the token of the transaction, so DynamoDB applies it once within ten minutes, even if another
// instance of the service gets the second request.
func Example_idempotentRequest() {
	ctx := context.Background()
	table, err := Shop.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	products, purchases := Products.In(table), Purchases.In(table)
	if err := products.Create(ctx, &Product{SKU: "lamp", Stock: 5}); err != nil {
		log.Fatal(err)
	}

	handle := func(key string, p Purchase) error {
		return tx.WriteOnce(ctx, key,
			purchases.Op().Create(&p),
			products.Op().Update(Product{SKU: p.SKU}, attr.Add(Stock, -1), attr.If(Stock.Ge(1))),
		)
	}
	const key = "3f0f5a1e-6a52-4a36-9f1c-1b7c2a0a9d10"
	first := handle(key, Purchase{Customer: "ann", ID: "1", SKU: "lamp"})
	again := handle(key, Purchase{Customer: "ann", ID: "1", SKU: "lamp"})
	other := handle(key, Purchase{Customer: "bob", ID: "1", SKU: "lamp"})
	fmt.Println("first:", first)
	fmt.Println("again:", again)
	fmt.Println("another request with the key is unknown:", errors.Is(other, trestle.ErrUnknown))

	product, err := products.Get(ctx, Product{SKU: "lamp"})
	fmt.Println(product.Stock, "left", err)
	// Output:
	// first: <nil>
	// again: <nil>
	// another request with the key is unknown: true
	// 4 left <nil>
}
