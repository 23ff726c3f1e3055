package document_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
)

type (
	// Cart is the root of a shopping cart. It expires half an hour after it was saved first.
	Cart struct {
		_       entity.Key `type:"cart" pk:"CART#<id>" sk:"CART" lifetime:"30m"`
		ID      string     `dynamodbav:"id"`
		Version int64      `dynamodbav:"version" entity:"version"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		document.Root
	}
	// CartLine is a part of a shopping cart.
	CartLine struct {
		_       entity.Key `type:"line" pk:"CART#<id>" sk:"LINE#<sku>"`
		ID      string     `dynamodbav:"id"`
		SKU     string     `dynamodbav:"sku"`
		Expires time.Time  `dynamodbav:"expires" entity:"ttl"`
		document.Part
	}
	// Shopping is a document.
	Shopping struct {
		document.State
		Cart  Cart
		Lines []CartLine
	}
)

// A shopping cart expires as a whole, with all its lines. A new time renews all of them.
func Example_expires() {
	ctx, now := context.Background(), time.Date(2100, 8, 1, 12, 0, 0, 0, time.UTC)
	schema := entity.NewSchema(entity.Config{Clock: func() time.Time { return now }})
	entity.Define[Cart](schema)
	entity.Define[CartLine](schema)
	carts := document.Define[Shopping](schema)
	table, err := schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := table.Create(ctx); err != nil {
		fmt.Println(err)
		return
	}
	repo := carts.In(table, document.Config{})
	cart := Shopping{Cart: Cart{ID: "7"}, Lines: []CartLine{{SKU: "tea"}, {SKU: "mug"}}}
	if err := repo.Save(ctx, &cart); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("expires at", cart.Lines[1].Expires.UTC().Format(time.TimeOnly))

	now = now.Add(20 * time.Minute)
	cart.Cart.Expires = now.Add(30 * time.Minute)
	err = repo.Save(ctx, &cart)
	fmt.Println("renewed:", err == nil, "-", cart.Lines[1].Expires.UTC().Format(time.TimeOnly))

	now = now.Add(30 * time.Minute)
	_, err = repo.Read(ctx, Shopping{Cart: Cart{ID: "7"}})
	fmt.Println("gone:", errors.Is(err, trestle.ErrNotFound))
	// Output:
	// expires at 12:30:00
	// renewed: true - 12:50:00
	// gone: true
}
