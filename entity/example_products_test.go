package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Product struct {
	_      entity.Key   `type:"product" pk:"PRODUCT#<sku>" sk:"PRODUCT"`
	_      entity.Index `name:"by-maker" on:"GSI1" pk:"MAKER#<maker>" sk:"PRODUCT#<sku>"`
	SKU    string       `dynamodbav:"sku"`
	Maker  string       `dynamodbav:"maker"`
	Price  int64        `dynamodbav:"price"`
	Manual string       `dynamodbav:"manual"`
}

// PriceTag is the part of a product that a price list needs.
type PriceTag struct {
	SKU   string `dynamodbav:"sku"`
	Price int64  `dynamodbav:"price"`
}

var (
	Warehouse = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Products  = entity.Define[Product](Warehouse)
	PriceTags = entity.Project[PriceTag](Products)
)

var Price = attr.Must(func(p *Product) *int64 { return &p.Price })

// openProducts opens a table with two products.
func openProducts(ctx context.Context) *entity.Repo[Product] {
	table, err := Warehouse.Open(ddbtest.New(ddbtest.Options{}).Client(), "warehouse")
	if err != nil {
		log.Fatal(err)
	}
	products := Products.In(table)
	err = errors.Join(
		table.Create(ctx),
		products.Create(ctx, &Product{SKU: "p1", Maker: "Acme", Price: 150, Manual: "Plug it in."}),
		products.Create(ctx, &Product{SKU: "p2", Maker: "Acme", Price: 900, Manual: "Stand back."}),
	)
	if err != nil {
		log.Fatal(err)
	}
	return products
}

// A projection reads a part of an item. The service returns only the attributes of the smaller
// struct.
func ExampleProject() {
	ctx := context.Background()
	products := openProducts(ctx)
	tag, err := PriceTags.Get(ctx, products, Product{SKU: "p2"})
	fmt.Println(tag, err)

	tags, err := PriceTags.GetMany(ctx, products.Strong(), []Product{{SKU: "p2"}, {SKU: "p1"}})
	fmt.Println(*tags[0], *tags[1], err)
	// Output:
	// {p2 900} <nil>
	// {p2 900} {p1 150} <nil>
}

// GetMany returns items in the order of the examples, and nil for an item that does not exist.
func ExampleRepo_GetMany() {
	ctx := context.Background()
	products := openProducts(ctx)
	found, err := products.GetMany(ctx, []Product{{SKU: "p2"}, {SKU: "p9"}, {SKU: "p1"}})
	if err != nil {
		log.Fatal(err) // Unprocessed returns the examples that were not read
	}
	for _, p := range found {
		if p == nil {
			fmt.Println("not found")
			continue
		}
		fmt.Println(p.SKU, p.Price)
	}
	// Output:
	// p2 900
	// not found
	// p1 150
}

// Explain describes what a verb would send and estimates its cost. It sends nothing and shows no
// values.
func ExampleOp_Explain() {
	products := openProducts(context.Background())
	e, err := products.Op().Update(Product{SKU: "p1"}, Price.Set(175), attr.If(Price.Lt(175))).Explain()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(e)
	// Output:
	// update product
	//   table      warehouse
	//   key        PK = PRODUCT#<sku> AND SK = PRODUCT
	//   condition  attribute_exists(PK) AND (price < ?)
	//   update     SET price = ?
	//   writes     GSI1 (an entry changed)
	//   estimate   2 write units for an item of 1024 bytes (assumed)
}

// Return makes a write return a part of the item, such as the item before the write.
func ExampleOp_Return() {
	ctx := context.Background()
	products := openProducts(ctx)
	old, err := products.Op().Update(Product{SKU: "p1"}, Price.Set(175)).Return(trestle.AllOld).Do(ctx)
	fmt.Println(old.Item.Price, old.Capacity.Write, err)

	gone, err := products.Op().Delete(Product{SKU: "p9"}).Return(trestle.AllOld).Do(ctx)
	fmt.Println(gone.Found, err)
	// Output:
	// 150 2 <nil>
	// false <nil>
}
