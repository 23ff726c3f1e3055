package main

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// typedShop reads with the Store, as a service does.
type typedShop struct{ store Store }

func openTyped(t *testing.T, _ *dynamodb.Client, c counter) shop {
	t.Helper()
	table, err := Schema.Open(c, "shop", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{newKey()}}))
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	s := NewStore(table)
	require.NoError(t, fill(t.Context(), s))
	return typedShop{s}
}

func (s typedShop) customer(ctx context.Context, id string) ([]string, error) {
	return one(Customers)(s.store.Customer(ctx, id))
}

func (s typedShop) product(ctx context.Context, id string) ([]string, error) {
	return one(Products)(s.store.Product(ctx, id))
}

func (s typedShop) warehouse(ctx context.Context, id string) ([]string, error) {
	return one(Warehouses)(s.store.Warehouse(ctx, id))
}

func (s typedShop) stockOf(ctx context.Context, product string) ([]string, error) {
	return many(Stocks)(collect(s.store.StockOf(ctx, product)))
}

func (s typedShop) order(ctx context.Context, id string) ([]string, error) {
	o, err := s.store.Order(ctx, id)
	if err != nil {
		return nil, err
	}
	places := []string{keyOf(Orders, o.Order), keyOf(Invoices, *o.Invoice)}
	for _, i := range o.Items {
		places = append(places, keyOf(OrderItems, i))
	}
	for _, p := range o.Shipments {
		places = append(places, keyOf(Shipments, p))
	}
	for _, i := range o.ShipmentItems {
		places = append(places, keyOf(ShipmentItems, i))
	}
	return places, nil
}

func (s typedShop) itemsOf(ctx context.Context, order string) ([]string, error) {
	return many(OrderItems)(collect(s.store.ItemsOf(ctx, order)))
}

func (s typedShop) invoiceOf(ctx context.Context, order string) ([]string, error) {
	return one(Invoices)(s.store.InvoiceOf(ctx, order))
}

func (s typedShop) shipmentsOf(ctx context.Context, order string) ([]string, error) {
	return many(Shipments)(s.store.ShipmentsOf(ctx, order))
}

func (s typedShop) sales(ctx context.Context, product string, when attr.Period) ([]string, error) {
	return many(OrderItems)(collect(s.store.Sales(ctx, product, when)))
}

func (s typedShop) invoice(ctx context.Context, id string) ([]string, error) {
	return one(Invoices)(s.store.Invoice(ctx, id))
}

func (s typedShop) payments(ctx context.Context, invoice string) ([]string, error) {
	payments, err := s.store.Payments(ctx, invoice)
	var all []string
	for _, p := range payments {
		all = append(all, fmt.Sprintf("%s %d", p.Means, p.Amount))
	}
	return all, err
}

func (s typedShop) shipment(ctx context.Context, id string) ([]string, error) {
	d, err := s.store.Shipment(ctx, id)
	places, _ := many(ShipmentItems)(d.Items, nil)
	return append(places, keyOf(Shipments, d.Shipment)), err
}

func (s typedShop) shipmentsFrom(ctx context.Context, warehouse string) ([]string, error) {
	return many(Shipments)(collect(s.store.ShipmentsFrom(ctx, warehouse)))
}

func (s typedShop) stockIn(ctx context.Context, warehouse string) ([]string, error) {
	return many(Stocks)(collect(s.store.StockIn(ctx, warehouse)))
}

func (s typedShop) invoicesTo(ctx context.Context, customer string, when attr.Period) ([]string, error) {
	return many(Invoices)(collect(s.store.InvoicesTo(ctx, customer, when)))
}

func (s typedShop) purchases(ctx context.Context, customer string, when attr.Period, size int) ([]string, error) {
	return many(OrderItems)(allPages(func(cursor string) (query.Page[OrderItem], error) {
		return s.store.Purchases(ctx, customer, when, size, cursor)
	}))
}

func (s typedShop) activity(ctx context.Context, customer string, when attr.Period, invoicesOnly bool) ([]string, error) {
	var types []query.EntityType
	if invoicesOnly {
		types = append(types, Invoices)
	}
	items, err := collect(s.store.Activity(ctx, customer, when, types...))
	var places []string
	for _, item := range items {
		switch v := item.(type) {
		case OrderItem:
			places = append(places, keyOf(OrderItems, v))
		case Invoice:
			places = append(places, keyOf(Invoices, v))
		}
	}
	return places, err
}

func collect[T any](items iter.Seq2[T, error]) (all []T, err error) {
	for item, err := range items {
		if err != nil {
			return all, err
		}
		all = append(all, item)
	}
	return all, nil
}

func allPages[T any](next func(cursor string) (query.Page[T], error)) (all []T, err error) {
	cursor := ""
	for {
		page, err := next(cursor)
		if err != nil {
			return all, err
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}
