package main

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
)

const (
	address = "address USA CA LA 90029"
	coffee  = "item ACTIVE Coffee"
	spice   = "item ACTIVE Spice"
	cocoa   = "item SAVED Cocoa"
)

func everything() []string {
	return []string{address, coffee, spice, cocoa, "order OrderUID", "profile", "store StoreUID", "wish Ornithopter"}
}

// Every read returns exactly these rows, reads no other rows, and takes one request.
func TestReadsReturnOnlyTheirRows(t *testing.T) {
	t.Parallel()
	during := func(p attr.Period) func(shop, context.Context) ([]string, error) {
		return func(s shop, ctx context.Context) ([]string, error) { return s.AddedDuring(ctx, p) }
	}
	byPrefix := func(status string) func(shop, context.Context) ([]string, error) {
		return func(s shop, ctx context.Context) ([]string, error) { return s.BySortKeyPrefix(ctx, status) }
	}
	reads := []struct {
		name string
		read func(shop, context.Context) ([]string, error)
		want []string
	}{
		{"active", shop.Active, []string{coffee, spice}},
		{"the whole cart", shop.Cart, []string{coffee, spice, cocoa}},
		{"active, by a prefix of the sort key", byPrefix("ACTIVE"), []string{coffee, spice}},
		{"the whole cart, by a prefix of the sort key", byPrefix(""), []string{coffee, spice, cocoa}},
		{"added on a day", during(attr.Day(2019, time.November, 28)), []string{spice}},
		{"added in a month", during(attr.Month(2019, time.November)), []string{coffee, spice}},
		{"added before a time", during(attr.Period{Start: attr.Year(2019).Start, End: spiceAdded()}), []string{coffee}},
		{"added before the next second", during(attr.Period{Start: attr.Year(2019).Start, End: spiceAdded().Add(time.Second)}), []string{coffee, spice}},
		{"added in another month", during(attr.Month(2019, time.December)), nil},
		{"everything", shop.Everything, everything()},
		{"account", shop.Account, everything()},
	}
	onBoth(t, func(t *testing.T, s shop, m meter) {
		for _, r := range reads {
			*m.used = usage{}
			got, err := r.read(s, t.Context())
			require.NoError(t, err, r.name)
			require.Equal(t, r.want, got, r.name)
			if len(r.want) == 0 {
				// DynamoDB Local reports no units for a read that finds nothing.
				m.used.units = 0.5
			}
			require.Equal(t, usage{requests: 1, scanned: len(r.want), units: 0.5}, *m.used, r.name)
		}
	})
}

// spiceAdded returns the time when the spice was added.
func spiceAdded() time.Time { return time.Date(2019, time.November, 28, 9, 12, 45, 0, time.UTC) }

// The index has only the default address and the active items. Each read returns only its own type,
// even if the sort keys have no prefix.
func TestIndexIsSparseAndShared(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s shop, m meter) {
		require.NoError(t, s.AddAddress(t.Context(), Place{"USA", "OR", "Florence"}, "97439"))
		entries, err := m.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("cart"), IndexName: aws.String(s.Index())})
		require.NoError(t, err)
		require.Len(t, entries.Items, 3)
		got, err := s.Added(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{coffee, spice}, got)
		n, err := s.CountAdded(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, n)
		*m.used = usage{}
		home, err := s.DefaultAddress(t.Context())
		require.NoError(t, err)
		require.Equal(t, address, home)
		require.Equal(t, 1, m.used.scanned)
	})
}

// A read of the items on the index skips an item of an unknown type between them.
func TestItemOfUnknownTypeOnTheIndexIsSkipped(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s shop, m meter) {
		_, err := m.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("cart"), Item: s.UnknownItem()})
		require.NoError(t, err)
		*m.used = usage{}
		got, err := s.Added(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{coffee, spice}, got)
		require.GreaterOrEqual(t, m.used.scanned, 3, "the item of the unknown type is read")
		got, err = s.Cart(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{coffee, spice, cocoa}, got)
	})
}

// A place matches whole names: a country does not match a longer name that begins with it, and
// neither does a state or a city.
func TestPlaceMatchesWholeNames(t *testing.T) {
	t.Parallel()
	const (
		second    = "address USA CA LA 90210"
		lakewood  = "address USA CA LAKEWOOD 90712"
		calgary   = "address USA CALGARY LA 1"
		florence  = "address USA OR Florence 97439"
		elsewhere = "address USAX CA LA 90029"
	)
	reads := []struct {
		in   Place
		want []string
	}{
		{Place{}, []string{address, second, lakewood, calgary, florence, elsewhere}},
		{Place{Country: "USA"}, []string{address, second, lakewood, calgary, florence}},
		{Place{"USA", "CA", ""}, []string{address, second, lakewood}},
		{Place{"USA", "CA", "LA"}, []string{address, second}},
		{Place{"USAX", "CA", "LA"}, []string{elsewhere}},
		{Place{Country: "US"}, nil},
		{Place{"USA", "CA", "L"}, nil},
	}
	onBoth(t, func(t *testing.T, s shop, m meter) {
		for _, a := range []struct {
			in  Place
			zip string
		}{
			{Place{"USA", "CA", "LA"}, "90210"},
			{Place{"USA", "CA", "LAKEWOOD"}, "90712"},
			{Place{"USA", "CALGARY", "LA"}, "1"},
			{Place{"USA", "OR", "Florence"}, "97439"},
			{Place{"USAX", "CA", "LA"}, "90029"},
		} {
			require.NoError(t, s.AddAddress(t.Context(), a.in, a.zip))
		}
		for _, r := range reads {
			*m.used = usage{}
			got, err := s.AddressesIn(t.Context(), r.in)
			require.NoError(t, err, r.in)
			require.Equal(t, r.want, got, r.in)
			require.Equal(t, len(r.want), m.used.scanned, r.in)
		}
		*m.used = usage{}
		_, err := s.AddressesIn(t.Context(), Place{Country: "USA", City: "LA"})
		require.ErrorIs(t, err, trestle.ErrInvalid, "a city without its state is not a key condition")
		require.Zero(t, m.used.requests)
	})
}

// Activate stores a new item and deletes the old one. An update cannot change the key of an item.
func TestActivateReplacesTheItem(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s shop, m meter) {
		ctx := t.Context()
		require.ErrorIs(t, s.SetStatus(ctx, "Cocoa", "SAVED", "ACTIVE"), trestle.ErrInvalid)

		m.used.broken = true
		require.ErrorIs(t, s.Activate(ctx, "Cocoa"), errBroken)
		got, err := s.Cart(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"item ACTIVE Cocoa", coffee, spice, cocoa}, got, "the item exists twice, and is not lost")

		m.used.broken = false
		require.NoError(t, s.Activate(ctx, "Cocoa"))
		got, err = s.Cart(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"item ACTIVE Cocoa", coffee, spice}, got)
		got, err = s.Added(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{coffee, spice, "item ACTIVE Cocoa"}, got)
		require.ErrorIs(t, s.Activate(ctx, "Cocoa"), trestle.ErrNotFound)
		require.ErrorIs(t, s.Activate(ctx, "Ornithopter"), trestle.ErrNotFound)
	})
}
