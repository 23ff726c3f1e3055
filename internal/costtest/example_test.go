package costtest_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

type Order struct {
	_        entity.Key `type:"order" pk:"CUSTOMER#<customer>" sk:"ORDER#<id>"`
	Customer string     `dynamodbav:"customer"`
	ID       string     `dynamodbav:"id"`
	Total    int        `dynamodbav:"total"`
}

var (
	Schema = entity.NewSchema(entity.Config{})
	Orders = entity.Define[Order](Schema)
)

// Store is the code under test.
type Store struct{ orders *entity.Repo[Order] }

func (s Store) Place(ctx context.Context, o *Order) error { return s.orders.Create(ctx, o) }

func (s Store) History(ctx context.Context, customer string) ([]Order, error) {
	return query.Of(s.orders, Order{Customer: customer}).Collect(ctx)
}

// Sum reads in a loop what one batch could read.
func (s Store) Sum(ctx context.Context, customer string, ids ...string) (sum int, err error) {
	for _, id := range ids {
		o, err := s.orders.Get(ctx, Order{Customer: customer, ID: id})
		if err != nil {
			return 0, err
		}
		sum += o.Total
	}
	return sum, nil
}

// printer replaces the *testing.T of a test.
type printer struct{}

func (printer) Helper()                           {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A test calls the code, then lists the calls that the code should have sent. The first two checks
// pass, the third fails.
func ExampleMeter_Check() {
	ctx, t := context.Background(), printer{}
	meter := costtest.NewMeter(ddbtest.New(ddbtest.Options{}).Client())
	table, err := Schema.Open(meter, "shop")
	store := Store{Orders.In(table)}
	if err := errors.Join(err, table.Create(ctx)); err != nil {
		fmt.Println(err)
		return
	}

	first, second := &Order{Customer: "ada", ID: "1", Total: 7}, &Order{Customer: "ada", ID: "2", Total: 8}
	err = errors.Join(store.Place(ctx, first), store.Place(ctx, second))
	meter.Check(t, costtest.Create(store.orders, first), costtest.Create(store.orders, second))

	history, err2 := store.History(ctx, "ada")
	meter.Check(t, costtest.Query(query.Of(store.orders, Order{Customer: "ada"})))

	sum, err3 := store.Sum(ctx, "ada", "1", "2")
	meter.Check(t, costtest.GetMany(store.orders, history))

	fmt.Println(len(history), "orders, total", sum, errors.Join(err, err2, err3))
	// Output:
	// costtest: not sent: a batch read of 2 items, of which 2 were not requested
	// costtest: no call explains these requests: GetItem on shop, GetItem on shop
	// 2 orders, total 15 <nil>
}
