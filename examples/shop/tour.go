package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/schema"
)

// run creates and fills the table and runs every access pattern. It prints each request and its
// result, and at the end the chart of all patterns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "shop", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{newKey()}}))
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	if err := fill(ctx, t.store); err != nil {
		return err
	}
	if err := program.RunSteps(ctx, t.catalog, t.order, t.sales, t.invoice, t.shipment, t.warehouse, t.customer, t.activity); err != nil {
		return err
	}
	t.Printf("\nthe chart that the schema generates:\n\n%s", strings.TrimSuffix(schema.Chart(Schema), "\n"))
	return nil
}

// newKey returns a random key for cursors. A service reads the key from its secret store, and all
// its servers share one key.
func newKey() entity.CursorKey {
	var key [32]byte
	_, _ = rand.Read(key[:])
	return entity.NewCursorKey(key)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func (t tour) catalog(ctx context.Context) error {
	c, err := t.store.Customer(ctx, "12345")
	if err != nil {
		return err
	}
	p, err := t.store.Product(ctx, "12345")
	if err != nil {
		return err
	}
	w, err := t.store.Warehouse(ctx, "12345")
	if err != nil {
		return err
	}
	t.Printf(" 1 customer 12345: %s, %s", c.Name, c.Email)
	t.Printf(" 2 product 12345: %s, %s, price %d", p.Name, p.Description, p.Price)
	t.Printf(" 3 warehouse 12345: in %s, %s %s", w.Address.City, w.Address.Street, w.Address.Number)
	t.Printf(" 4 stock of product 99887: %s", program.List(t.store.StockOf(ctx, "99887"), func(s Stock) string {
		return fmt.Sprintf("%d in warehouse %s", s.Quantity, s.WarehouseID)
	}))
	return nil
}

func (t tour) order(ctx context.Context) error {
	o, err := t.store.Order(ctx, "12345")
	if err != nil {
		return err
	}
	i, err := t.store.InvoiceOf(ctx, "12345")
	if err != nil {
		return err
	}
	shipments, err := t.store.ShipmentsOf(ctx, "12345")
	if err != nil {
		return err
	}
	t.Printf(" 5 order 12345 of customer %s: %d items, invoice %s, %d shipments of %d items",
		o.Order.CustomerID, len(o.Items), o.Invoice.ID, len(o.Shipments), len(o.ShipmentItems))
	t.Printf(" 6 products of order 12345: %s", program.List(t.store.ItemsOf(ctx, "12345"), product))
	t.Printf(" 7 invoice of order 12345: %s, amount %d", i.ID, i.Amount)
	t.Printf(" 8 shipments of order 12345, without their items: %s", listed(shipments, shipmentID))
	return nil
}

func (t tour) sales(ctx context.Context) error {
	day := attr.Day(2020, time.June, 21)
	t.Printf(" 9 orders of product 99887 on June 21: %s", program.List(t.store.Sales(ctx, "99887", day), func(i OrderItem) string {
		return fmt.Sprintf("order %s at %s", i.OrderID, i.OrderedAt.Format(time.TimeOnly))
	}))
	x, err := t.store.ExplainSales("99887", day)
	if err != nil {
		return err
	}
	t.Printf("   the request:\n%s", indented(x.String()))
	return nil
}

func (t tour) invoice(ctx context.Context) error {
	i, err := t.store.Invoice(ctx, "55443")
	if err != nil {
		return err
	}
	payments, err := t.store.Payments(ctx, "55443")
	if err != nil {
		return err
	}
	t.Printf("10 invoice 55443: of order %s, amount %d", i.OrderID, i.Amount)
	t.Printf("11 payments of invoice 55443: %s", listed(payments, func(p Payment) string { return fmt.Sprintf("%d by %s", p.Amount, p.Means) }))
	return nil
}

func (t tour) shipment(ctx context.Context) error {
	d, err := t.store.Shipment(ctx, "98765")
	if err != nil {
		return err
	}
	t.Printf("12 shipment 98765: to %s, with %s", d.Shipment.Address.City, listed(d.Items, func(i ShipmentItem) string {
		return fmt.Sprintf("%d x product %s", i.Quantity, i.ProductID)
	}))
	return nil
}

func (t tour) warehouse(ctx context.Context) error {
	n, err := t.store.CountStockIn(ctx, "12345")
	if err != nil {
		return err
	}
	t.Printf("13 shipments from warehouse 12345: %s", program.List(t.store.ShipmentsFrom(ctx, "12345"), shipmentID))
	t.Printf("14 stock in warehouse 12345: %s", program.List(t.store.StockIn(ctx, "12345"), func(s Stock) string {
		return fmt.Sprintf("%d of product %s", s.Quantity, s.ProductID)
	}))
	t.Printf("   their count: %d", n)
	return nil
}

func (t tour) customer(ctx context.Context) error {
	june := attr.Month(2020, time.June)
	firstHalf := attr.Period{Start: june.Start, End: june.Start.AddDate(0, 0, 15)}
	t.Printf("15 invoices of customer 12345 in June: %s", program.List(t.store.InvoicesTo(ctx, "12345", june), func(i Invoice) string { return i.ID }))
	t.Printf("   in the first half of June: %s", program.List(t.store.InvoicesTo(ctx, "12345", firstHalf), func(i Invoice) string { return i.ID }))
	t.Printf("16 products ordered by customer 12345 in June, page by page:")
	for n, cursor := 1, ""; n == 1 || cursor != ""; n++ {
		page, err := t.store.Purchases(ctx, "12345", june, 1, cursor)
		if err != nil {
			return err
		}
		if len(page.Items) > 0 {
			t.Printf("   page %d: product %s", n, page.Items[0].ProductID)
		}
		cursor = page.Next
	}
	return nil
}

func (t tour) activity(ctx context.Context) error {
	june := attr.Month(2020, time.June)
	var lines []string
	for item, err := range t.store.Activity(ctx, "12345", june) {
		if err != nil {
			return err
		}
		switch v := item.(type) {
		case OrderItem:
			lines = append(lines, v.OrderedAt.Format(time.TimeOnly)+" ordered product "+v.ProductID)
		case Invoice:
			lines = append(lines, v.IssuedAt.Format(time.TimeOnly)+" received invoice "+v.ID)
		}
	}
	slices.Sort(lines) // items of the same second have no defined order
	t.Printf("17 all activity of customer 12345 in June:\n   %s", strings.Join(lines, "\n   "))
	t.Printf("   only the invoices: %s", program.List(t.store.Activity(ctx, "12345", june, Invoices), func(item any) string { return item.(Invoice).ID }))
	return nil
}

func product(i OrderItem) string { return fmt.Sprintf("%d x product %s", i.Quantity, i.ProductID) }

func shipmentID(s Shipment) string { return s.ID }

func listed[T any](items []T, text func(T) string) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = text(item)
	}
	return strings.Join(all, ", ")
}

func indented(text string) string {
	return "     " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n     ")
}
