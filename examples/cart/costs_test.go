package main

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/examples/internal/program"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table := opened(t, Schema, client)
		clock := date(2019, time.November, 27)
		s := NewStore(table, func() time.Time { return clock })
		demo := tour{Tour: program.Tour{Out: io.Discard}, store: s, clock: &clock}
		require.NoError(t, program.RunSteps(t.Context(), demo.register, demo.shop))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	added, cart, addresses := date(2019, time.November, 27), query.Of(s.items, Item{User: user}), query.Of(s.addresses, Address{User: user})
	return []costs.Pattern{
		costs.Of("active", func(ctx context.Context) error { return costs.ReadAll(s.Active(ctx, user)) },
			costtest.Query(cart.Where(ItemStatus.Eq(Active)))),
		costs.Of("cart", func(ctx context.Context) error { return costs.ReadAll(s.Cart(ctx, user)) },
			costtest.Query(cart)),
		costs.Of("added since", func(ctx context.Context) error { return costs.ReadAll(s.AddedSince(ctx, user, added)) },
			costtest.Query(query.On(s.items, "by-added", Item{User: user}).Where(attr.Since(Added, added)))),
		addressCosts(s, Place{}, addresses),
		addressCosts(s, Place{"USA", "CA", "LA"}, addresses.Where(Country.Eq("USA"), State.Eq("CA"), City.Eq("LA"))),
		addressCosts(s, Place{Country: "Arrakis"}, addresses.Where(Country.Eq("Arrakis"))),
		costs.Of("default address", func(ctx context.Context) error { return costs.Err(s.DefaultAddress(ctx, user)) },
			costtest.Query(query.On(s.addresses, "default", Address{User: user}))),
		costs.Of("account", func(ctx context.Context) error { return costs.Err(s.Account(ctx, user)) },
			costtest.Query(query.Of(s.profiles, Profile{User: user}).Collection())),
	}
}

func addressCosts(s Store, in Place, q query.Query[Address]) costs.Pattern {
	read := func(ctx context.Context) error { return costs.ReadAll(s.AddressesIn(ctx, user, in)) }
	return costs.Of("addresses in "+in.String(), read, costtest.Query(q))
}

func writeCosts(s Store, text string) []costs.Pattern {
	profile := &Profile{User: "jessica", FirstName: "Jessica" + text}
	address := &Address{User: "jessica", Country: "USA", State: "CA", City: "LA", Zip: "1", Street: text, Default: true}
	order := &Order{User: "jessica", ID: "o2", SKUs: []string{text}}
	pickup := &Pickup{User: "jessica", ID: "s1", City: "Los Angeles" + text}
	wish := &Wish{User: "jessica", Product: "Thumper"}
	saved := Item{User: user, Status: Saved, Product: "Cocoa"}
	active := &Item{User: user, Status: Active, Product: "Cocoa", SKU: "CocoaSKU", Added: s.now()}
	return []costs.Pattern{
		costs.Of("register", func(ctx context.Context) error { return s.Register(ctx, profile) }, costtest.Create(s.profiles, profile)),
		costs.Of("add an address", func(ctx context.Context) error { return s.AddAddress(ctx, address) }, costtest.Put(s.addresses, address)),
		costs.Of("place an order", func(ctx context.Context) error { return s.PlaceOrder(ctx, order) }, costtest.Create(s.orders, order)),
		costs.Of("add a pickup", func(ctx context.Context) error { return s.AddPickup(ctx, pickup) }, costtest.Put(s.pickups, pickup)),
		costs.Of("add a wish", func(ctx context.Context) error { return s.AddWish(ctx, wish) }, costtest.Put(s.wishes, wish)),
		costs.Of("add to the cart", func(ctx context.Context) error { return s.AddToCart(ctx, "jessica", "Tea", text) },
			costtest.Put(s.items, &Item{User: "jessica", Status: Active, Product: "Tea", SKU: text, Added: s.now()})),
		costs.Of("save for later", func(ctx context.Context) error { return s.SaveForLater(ctx, "jessica", "Rum", text) },
			costtest.Put(s.items, &Item{User: "jessica", Status: Saved, Product: "Rum", SKU: text})),
		costs.Of("activate", func(ctx context.Context) error { return s.Activate(ctx, user, "Cocoa") },
			// Saved items are not on the index.
			costtest.Get(s.items, saved), costtest.Put(s.items, active), costtest.Delete(s.items, saved)),
	}
}
