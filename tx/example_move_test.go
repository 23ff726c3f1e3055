package tx_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/tx"
)

// The key of a purchase contains the customer, so another customer means another key. Move deletes
// the item and stores it under the new key, in one transaction.
func Example_moveItem() {
	ctx := context.Background()
	table, err := Shop.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	purchases := Purchases.In(table)
	if err := purchases.Create(ctx, &Purchase{Customer: "ann", ID: "1", SKU: "lamp"}); err != nil {
		log.Fatal(err)
	}

	give := func(from Purchase, customer string) error {
		to := from
		to.Customer = customer
		_, err := tx.Move(purchases, from, &to).Do(ctx)
		return err
	}
	bought, err := purchases.Get(ctx, Purchase{Customer: "ann", ID: "1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("given to bob:", give(bought, "bob"))
	fmt.Println("ann still has it:", !errors.Is(give(bought, "eve"), trestle.ErrNotFound))

	got, err := purchases.Get(ctx, Purchase{Customer: "bob", ID: "1"})
	fmt.Println(got.Customer, "has the", got.SKU, err)
	// Output:
	// given to bob: <nil>
	// ann still has it: false
	// bob has the lamp <nil>
}
