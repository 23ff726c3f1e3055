package attr_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

type Order struct {
	_        entity.Key `type:"order" pk:"CUSTOMER#<customer>" sk:"ORDER#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
	State    string     `dynamodbav:"state"`
	Total    int64      `dynamodbav:"total"`
	Paid     int64      `dynamodbav:"paid"`
}

var (
	Shop   = entity.NewSchema(entity.Config{})
	Orders = entity.Define[Order](Shop)

	State = attr.Must(func(o *Order) *string { return &o.State })
	Total = attr.Must(func(o *Order) *int64 { return &o.Total })
	Paid  = attr.Must(func(o *Order) *int64 { return &o.Paid })
)

// printOrders stores three orders and prints the orders that match each condition.
func printOrders(conds ...attr.Cond[Order]) {
	ctx := context.Background()
	table, err := Shop.Open(ddbtest.New(ddbtest.Options{}).Client(), "shop")
	if err != nil {
		log.Fatal(err)
	}
	orders := Orders.In(table)
	err = errors.Join(
		table.Create(ctx),
		orders.Create(ctx, &Order{Customer: "ada", ID: "o1", State: "new", Total: 50}),
		orders.Create(ctx, &Order{Customer: "ada", ID: "o2", State: "paid", Total: 90, Paid: 90}),
		orders.Create(ctx, &Order{Customer: "ada", ID: "o3", State: "sent", Total: 200, Paid: 90}),
	)
	for _, cond := range conds {
		fmt.Print(cond, ":")
		for o, failed := range query.Of(orders, Order{Customer: "ada"}).Filter(cond).All(ctx) {
			fmt.Print(" ", o.ID)
			err = errors.Join(err, failed)
		}
		fmt.Println()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// Comparisons with a value are methods of the handle. Compare compares two fields of the same Go
// type.
func ExampleField() {
	printOrders(
		State.Eq("paid"),
		State.Ne("paid"),
		State.In("new", "sent"),
		Total.Lt(90),
		Total.Ge(90),
		Total.Between(50, 90), // both ends included
		attr.Compare(Paid, Total).Lt(),
	)
	// Output:
	// state = ?: o2
	// state <> ?: o1 o3
	// state IN (?, ?): o1 o3
	// total < ?: o1
	// total >= ?: o2 o3
	// total BETWEEN ? AND ?: o1 o2
	// paid < total: o1 o3
}

// Conditions are values that can be named, shared and combined.
func ExampleOr() {
	unpaid := attr.And(attr.Compare(Paid, Total).Lt(), State.Ne("new"))
	printOrders(
		unpaid,
		attr.Or(State.Eq("new"), unpaid),
		attr.Not(unpaid),
	)
	// Output:
	// paid < total AND state <> ?: o3
	// state = ? OR (paid < total AND state <> ?): o1 o3
	// NOT (paid < total AND state <> ?): o1 o2
}
