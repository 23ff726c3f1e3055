package main

import (
	"context"
	"time"

	"github.com/trestledb/trestle/attr"
)

var (
	juneOf2020 = attr.Month(2020, time.June)
	firstHalf  = attr.Period{Start: juneOf2020.Start, End: juneOf2020.Start.AddDate(0, 0, 15)}
	theDay     = attr.Day(2020, time.June, 21)
)

// request is a request to both models and its expected result. Gets have no counts.
type request struct {
	name           string
	send           func(ctx context.Context, s shop) ([]string, error)
	want           []string
	count, scanned int
	unordered      bool // the sort keys are equal
}

// requests are the seventeen patterns on the nineteen rows.
var requests = []request{
	{
		name: "1 customer",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.customer(ctx, "12345") },
		want: []string{"c#12345/c#12345"},
	},
	{
		name: "2 product",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.product(ctx, "12345") },
		want: []string{"p#12345/p#12345"},
	},
	{
		name: "3 warehouse",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.warehouse(ctx, "12345") },
		want: []string{"w#12345/w#12345"},
	},
	{
		name:  "4 stock of a product",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.stockOf(ctx, "99887") },
		want:  []string{"p#99887/w#12345", "p#99887/w#12376"},
		count: 2, scanned: 2,
	},
	{
		name: "5 order",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.order(ctx, "12345") },
		want: []string{
			"o#12345/c#12345", "o#12345/i#55443", "o#12345/p#12345", "o#12345/p#99887", "o#12345/sh#88899", "o#12345/sh#98765",
			"o#12345/shp#12345", "o#12345/shp#54321", "o#12345/shp#55555",
		},
		count: 9, scanned: 9,
	},
	{
		name:  "6 products of an order",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.itemsOf(ctx, "12345") },
		want:  []string{"o#12345/p#12345", "o#12345/p#99887"},
		count: 2, scanned: 2,
	},
	{
		name:  "7 invoice of an order",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.invoiceOf(ctx, "12345") },
		want:  []string{"o#12345/i#55443"},
		count: 1, scanned: 1,
	},
	{
		name:  "8 shipments of an order",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.shipmentsOf(ctx, "12345") },
		want:  []string{"o#12345/sh#88899", "o#12345/sh#98765"},
		count: 2, scanned: 2,
	},
	{
		name:  "9 orders of a product on a day",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.sales(ctx, "99887", theDay) },
		want:  []string{"o#12345/p#99887"},
		count: 1, scanned: 1,
	},
	{
		name:  "10 invoice by ID",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.invoice(ctx, "55443") },
		want:  []string{"o#12345/i#55443"},
		count: 1, scanned: 1,
	},
	{
		name:  "11 payments of an invoice",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.payments(ctx, "55443") },
		want:  []string{"GiftCard 100", "MasterCard 300"},
		count: 1, scanned: 1,
	},
	{
		name:  "12 shipment with its items",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.shipment(ctx, "98765") },
		want:  []string{"o#12345/shp#55555", "o#12345/shp#12345", "o#12345/sh#98765"},
		count: 3, scanned: 3,
	},
	{
		name:  "13 shipments from a warehouse",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.shipmentsFrom(ctx, "12345") },
		want:  []string{"o#12345/sh#98765"},
		count: 1, scanned: 1,
	},
	{
		name:  "14 stock in a warehouse",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.stockIn(ctx, "12345") },
		want:  []string{"p#12345/w#12345", "p#99887/w#12345"},
		count: 2, scanned: 2,
	},
	{
		name:  "15 invoices of a customer in a month",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.invoicesTo(ctx, "12345", juneOf2020) },
		want:  []string{"o#12345/i#55443"},
		count: 1, scanned: 1,
	},
	{
		name: "15 in the first half of the month",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.invoicesTo(ctx, "12345", firstHalf) },
	},
	{
		name:  "16 products ordered by a customer in a month",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.purchases(ctx, "12345", juneOf2020, 10) },
		want:  []string{"o#12345/p#12345", "o#12345/p#99887"},
		count: 2, scanned: 2,
	},
	{
		name:  "16 page by page",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.purchases(ctx, "12345", juneOf2020, 1) },
		want:  []string{"o#12345/p#12345", "o#12345/p#99887"},
		count: 2, scanned: 2,
	},
	{
		name: "16 in the first half of the month",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.purchases(ctx, "12345", firstHalf, 10) },
	},
	{
		name: "17 activity of a customer in a month",
		send: func(ctx context.Context, s shop) ([]string, error) {
			return s.activity(ctx, "12345", juneOf2020, false)
		},
		want:  []string{"o#12345/p#12345", "o#12345/i#55443", "o#12345/p#99887"},
		count: 3, scanned: 3, unordered: true,
	},
	{
		name:  "17 only the invoices",
		send:  func(ctx context.Context, s shop) ([]string, error) { return s.activity(ctx, "12345", juneOf2020, true) },
		want:  []string{"o#12345/i#55443"},
		count: 1, scanned: 3,
	},
	{
		name: "17 in the first half of the month",
		send: func(ctx context.Context, s shop) ([]string, error) { return s.activity(ctx, "12345", firstHalf, false) },
	},
}
