package query_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Payment is found by its account, sorted by time, and by its purpose through an index.
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
	Payments = entity.Define[Payment](Bank)
	Receipts = entity.Project[Receipt](Payments)
)

var (
	PaidAt = attr.Must(func(p *Payment) *time.Time { return &p.At })
	Cents  = attr.Must(func(p *Payment) *int64 { return &p.Cents })
)

// openBank opens a table with a payment on the 15th of each month of 2026.
func openBank(ctx context.Context, options ...entity.TableOption) *entity.Table {
	table, err := Bank.Open(ddbtest.New(ddbtest.Options{}).Client(), "bank", options...)
	if err != nil {
		log.Fatal(err)
	}
	err = table.Create(ctx)
	for month := time.January; month <= time.December; month++ {
		at := time.Date(2026, month, 15, 12, 0, 0, 0, time.UTC)
		err = errors.Join(err, Payments.In(table).Create(ctx, &Payment{
			Account: "a1", ID: fmt.Sprintf("p%02d", month), At: at, Purpose: "rent", Cents: int64(month) * 100,
		}))
	}
	if err != nil {
		log.Fatal(err)
	}
	return table
}

// This query reads the newest payments of a purpose from an index.
func Example() {
	ctx := context.Background()
	table := openBank(ctx)
	rents := query.On(Payments.In(table), "by-purpose", Payment{Purpose: "rent"})
	for p, err := range rents.Desc().Limit(3).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.ID, p.At.Format(time.DateOnly))
	}
	// Output:
	// p12 2026-12-15
	// p11 2026-11-15
	// p10 2026-10-15
}

// The key condition selects exactly a period of time.
func Example_periodOfTime() {
	ctx := context.Background()
	table := openBank(ctx)
	payments := query.Of(Payments.In(table), Payment{Account: "a1"})
	june, august := attr.Month(2026, time.June), attr.Month(2026, time.August)
	summer := attr.Period{Start: june.Start, End: august.End}
	for p, err := range payments.Where(attr.During(PaidAt, summer)).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.ID, p.At.Format(time.DateOnly))
	}
	// Output:
	// p06 2026-06-15
	// p07 2026-07-15
	// p08 2026-08-15
}

// Where accepts conditions that the key can serve, and rejects others before it sends a request. A
// query never becomes a scan.
func ExampleQuery_Where() {
	ctx := context.Background()
	table := openBank(ctx)
	payments := query.Of(Payments.In(table), Payment{Account: "a1"})

	november := attr.Month(2026, time.November)
	late, err := payments.Where(attr.Since(PaidAt, november.Start)).Collect(ctx)
	fmt.Println(len(late), err)

	_, err = payments.Where(Cents.Gt(1000)).Collect(ctx)
	fmt.Println(errors.Is(err, trestle.ErrInvalid))

	large, err := payments.Filter(Cents.Gt(1000)).Collect(ctx) // reads and pays for all 12 items
	fmt.Println(len(large), err)
	// Output:
	// 2 <nil>
	// true
	// 2 <nil>
}

// First, One and Count run a query too.
func ExampleQuery_First() {
	ctx := context.Background()
	table := openBank(ctx)
	payments := query.Of(Payments.In(table), Payment{Account: "a1"})

	newest, err := payments.Desc().First(ctx)
	fmt.Println(newest.ID, err)

	_, err = payments.One(ctx)
	fmt.Println(errors.Is(err, query.ErrSeveral))

	n, err := payments.Count(ctx)
	fmt.Println(n, err)

	_, err = query.Of(Payments.In(table), Payment{Account: "a2"}).First(ctx)
	fmt.Println(errors.Is(err, trestle.ErrNotFound))
	// Output:
	// p12 <nil>
	// true
	// 12 <nil>
	// true
}

// This example reads page after page, newest first. A cursor continues where its page ended, and is
// valid only for its query.
func Example_pages() {
	ctx := context.Background()
	// A service must keep this key secret.
	key, err := entity.ParseCursorKey("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	if err != nil {
		log.Fatal(err)
	}
	table := openBank(ctx, entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{key}}))
	newest := query.Of(Payments.In(table), Payment{Account: "a1"}).Desc().Limit(5).Bind("ada")
	cursor := ""
	for more := true; more; more = cursor != "" {
		page, err := newest.Page(ctx, cursor)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "from", page.Items[0].ID)
		cursor = page.Next
	}

	first, err := newest.Page(ctx, "")
	fmt.Println(first.Next != "", err)
	_, err = newest.Bind("eve").Page(ctx, first.Next)
	fmt.Println(errors.Is(err, query.ErrCursor))
	// Output:
	// 5 from p12
	// 5 from p07
	// 2 from p02
	// true <nil>
	// true
}

// Items that a filter drops still cost read units. A budget limits the cost. If the budget is used
// up, the page contains the results so far and a cursor to continue from.
func Example_filterWithinABudget() {
	ctx := context.Background()
	table := openBank(ctx, entity.PlainCursors())
	large := query.Of(Payments.In(table), Payment{Account: "a1"}).Filter(Cents.Gt(1000)).PageSize(6)

	page, err := large.Limit(10).MaxRequests(1).Page(ctx, "")
	fmt.Println(len(page.Items), "of", page.Scanned, "read, more:", page.Next != "", err)

	_, err = large.MaxRequests(1).Collect(ctx)
	fmt.Println(errors.Is(err, query.ErrBudget))
	// Output:
	// 0 of 6 read, more: true <nil>
	// true
}

// As reads a smaller struct of each item. This saves transfer and decoding, but costs the read
// units of whole items.
func ExampleAs() {
	ctx := context.Background()
	table := openBank(ctx)
	payments := query.Of(Payments.In(table), Payment{Account: "a1"}).Limit(2)
	fmt.Println(query.As(payments, Receipts).Collect(ctx))
	// Output:
	// [{p01 100} {p02 200}] <nil>
}

// A scan reads the whole table, here with four segments in parallel and a budget. Each returns a
// cursor from which a later call continues.
func ExampleTableScan_Each() {
	ctx := context.Background()
	table := openBank(ctx, entity.PlainCursors())
	scan := query.Scan(Payments.In(table)).Segments(4).PageSize(5).MaxRequests(4)
	total, cursor := int64(0), ""
	for more := true; more; more = cursor != "" {
		next, err := scan.Each(ctx, cursor, func(page []Payment) error {
			for _, p := range page {
				total += p.Cents
			}
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
		cursor = next
	}
	fmt.Println(total)
	// Output:
	// 7800
}

// Explain describes what a query would do and estimates its cost. It sends nothing.
func ExampleQuery_Explain() {
	table := openBank(context.Background())
	rents := query.On(Payments.In(table), "by-purpose", Payment{Purpose: "rent"})
	e, err := rents.Where(attr.During(PaidAt, attr.Year(2026))).Filter(Cents.Gt(500)).Explain()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(e)
	// Output:
	// query payment by-purpose
	//   table      bank
	//   index      GSI1
	//   key        GSI1PK = FOR#<purpose> AND GSI1SK BETWEEN ? AND ?
	//   filter     cents > ?
	//   reads      eventually consistent
	//   estimate   12.5 read units for 100 items of 1024 bytes (assumed)
}
