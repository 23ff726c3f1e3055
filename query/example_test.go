package query_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Account heads an item collection: its payments stand behind it in the same partition.
type Account struct {
	_     entity.Key `type:"account" pk:"ACC#<id>" sk:"#"`
	ID    string     `dynamodbav:"id"`
	Owner string     `dynamodbav:"owner"`
}

// Payment is one of an account's; GSI1 finds it by what it was for.
type Payment struct {
	_       entity.Key   `type:"payment" pk:"ACC#<account>" sk:"PAY#<at:s>#<id>"`
	_       entity.Index `name:"by-purpose" on:"GSI1" pk:"FOR#<purpose>" sk:"PAY#<at:s>"`
	Account string       `dynamodbav:"account"`
	ID      string       `dynamodbav:"id"`
	At      time.Time    `dynamodbav:"at"`
	Purpose string       `dynamodbav:"purpose"`
	Cents   int64        `dynamodbav:"cents"`
}

// Receipt is the part of a payment that a list shows.
type Receipt struct {
	ID    string `dynamodbav:"id"`
	Cents int64  `dynamodbav:"cents"`
}

var (
	Bank     = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Accounts = entity.Define[Account](Bank)
	Payments = entity.Define[Payment](Bank)
	Receipts = entity.Project[Receipt](Payments)

	PaidAt = attr.Must(func(p *Payment) *time.Time { return &p.At })
	Cents  = attr.Must(func(p *Payment) *int64 { return &p.Cents })
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// ledger is a table with an account and a payment in each month of a year.
func ledger(ctx context.Context) *entity.Table {
	key, err := entity.ParseCursorKey("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=") // of a service: a secret
	must(err)
	table, err := Bank.Open(ddbtest.New(ddbtest.Options{}).Client(), "bank", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{key}}))
	must(err)
	must(table.Create(ctx))
	must(Accounts.In(table).Create(ctx, &Account{ID: "a1", Owner: "Ada"}))
	for month := time.January; month <= time.December; month++ {
		must(Payments.In(table).Create(ctx, &Payment{
			Account: "a1", ID: fmt.Sprintf("p%02d", month), At: time.Date(2026, month, 15, 12, 0, 0, 0, time.UTC), Purpose: "rent", Cents: int64(month) * 100,
		}))
	}
	return table
}

// The key serves a period of time exactly: a quarter is three months, its last day included.
func Example_periodOfTime() {
	ctx := context.Background()
	table := ledger(ctx)
	for p, err := range query.Of(Payments.In(table), Payment{Account: "a1"}).Where(attr.During(PaidAt, attr.Month(2026, time.August))).All(ctx) {
		must(err)
		fmt.Println(p.ID, p.At.Format(time.DateOnly))
	}
	// Output:
	// p08 2026-08-15
}

// Page after page, newest first. A cursor goes on where its page ended, whatever was written meanwhile, and serves no other query.
func Example_pages() {
	ctx := context.Background()
	table := ledger(ctx)
	newest := query.Of(Payments.In(table), Payment{Account: "a1"}).Desc().Limit(5)
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := newest.Page(ctx, cursor)
		must(err)
		fmt.Println(len(page.Items), "from", page.Items[0].ID)
		cursor = page.Next
	}
	first, err := newest.Page(ctx, "")
	must(err)
	_, err = query.On(Payments.In(table), "by-purpose", Payment{Purpose: "rent"}).Page(ctx, first.Next)
	fmt.Println(errors.Is(err, query.ErrCursor))
	// Output:
	// 5 from p12
	// 5 from p07
	// 2 from p02
	// true
}

// What a filter drops is read and paid for, and a budget bounds that: the page is then what there is so far, with a cursor to go on from.
func Example_filterWithinABudget() {
	ctx := context.Background()
	table := ledger(ctx)
	large := query.Of(Payments.In(table), Payment{Account: "a1"}).Filter(Cents.Gt(1000)).PageSize(6)
	page, err := large.Limit(10).MaxRequests(1).Page(ctx, "")
	must(err)
	fmt.Println(len(page.Items), "of", page.Scanned, "read; more:", page.Next != "")
	_, err = large.MaxRequests(1).Collect(ctx)
	fmt.Println(errors.Is(err, query.ErrBudget))
	// Output:
	// 0 of 6 read; more: true
	// true
}

// An account and its payments of a year, in one query, sorted into a struct.
func Example_itemCollection() {
	ctx := context.Background()
	table := ledger(ctx)
	var view struct {
		Account  Account
		Payments []Payment
	}
	must(query.Load(ctx, query.Of(Accounts.In(table), Account{ID: "a1"}).Collection(), &view))
	fmt.Println(view.Account.Owner, len(view.Payments))
	// Output:
	// Ada 12
}

// A smaller struct of each entity: less is sent and decoded. The units are those of whole items.
func Example_partOfEachItem() {
	ctx := context.Background()
	table := ledger(ctx)
	receipts, err := query.As(query.Of(Payments.In(table), Payment{Account: "a1"}).Limit(2), Receipts).Collect(ctx)
	must(err)
	fmt.Println(receipts)
	// Output:
	// [{p01 100} {p02 200}]
}

// Items of several types by their keys, in one request. One that is not there is nil.
func ExampleGetMany() {
	ctx := context.Background()
	table := ledger(ctx)
	found, err := query.GetMany(ctx,
		query.Key(Payments.In(table), Payment{Account: "a1", ID: "p03", At: time.Date(2026, time.March, 15, 12, 0, 0, 0, time.UTC)}),
		query.Key(Accounts.In(table), Account{ID: "a1"}),
		query.Key(Accounts.In(table), Account{ID: "nobody"}),
	)
	must(err)
	fmt.Println(found[0].(Payment).Cents, found[1].(Account).Owner, found[2])
	// Output:
	// 300 Ada <nil>
}

// A scan reads the whole table. In parallel, with a budget, and resumable: what Each returns goes on where it ended.
func ExampleTableScan_Each() {
	ctx := context.Background()
	table := ledger(ctx)
	total := int64(0)
	scan := query.Scan(Payments.In(table)).Segments(4).PageSize(5).MaxRequests(4)
	for cursor, more := "", true; more; more = cursor != "" {
		next, err := scan.Each(ctx, cursor, func(page []Payment) error {
			for _, p := range page {
				total += p.Cents
			}
			return nil
		})
		must(err)
		cursor = next
	}
	fmt.Println(total)
	// Output:
	// 7800
}

// What a query would do, and about what it would cost: nothing is sent.
func ExampleQuery_Explain() {
	table := ledger(context.Background())
	e, err := query.On(Payments.In(table), "by-purpose", Payment{Purpose: "rent"}).Where(attr.During(PaidAt, attr.Year(2026))).Filter(Cents.Gt(500)).Explain()
	must(err)
	fmt.Println(e)
	// Output:
	// query payment by-purpose
	//   table      bank
	//   index      GSI1
	//   key        GSI1PK = FOR#<purpose> AND GSI1SK BETWEEN ? AND ?
	//   filter     cents > ?
	//   reads      eventually consistent
	//   estimate   12.5 read units for 100 items of 1024 bytes (assumed)
}
