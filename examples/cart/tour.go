package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// user is the owner of the cart.
const user = "paul"

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "cart")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	clock := time.Date(2019, time.November, 27, 10, 33, 24, 0, time.UTC)
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table, func() time.Time { return clock }), clock: &clock}
	return program.RunSteps(ctx, t.register, t.shop, t.cart, t.addresses, t.activate, t.account)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
	clock *time.Time
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func (t tour) register(ctx context.Context) error {
	s := t.store
	err := errors.Join(
		s.Register(ctx, &Profile{User: user, FirstName: "Paul", LastName: "Atreides", Joined: date(1965, time.August, 1)}),
		s.AddAddress(ctx, &Address{User: user, Country: "USA", State: "CA", City: "LA", Zip: "90029", Street: "1234 Arrakis Dr", Default: true}),
		s.AddAddress(ctx, &Address{User: user, Country: "USA", State: "CA", City: "LA", Zip: "90210", Street: "1 Caladan Ave"}),
		s.AddAddress(ctx, &Address{User: user, Country: "USA", State: "OR", City: "Florence", Zip: "97439", Street: "7 Dunes Rd"}),
		s.AddPickup(ctx, &Pickup{User: user, ID: "s17", City: "Los Angeles", Zip: "90029"}),
		s.PlaceOrder(ctx, &Order{User: user, ID: "o1", SKUs: []string{"SKU_A", "SKU_B"}, At: date(2018, time.September, 28)}),
	)
	if err != nil {
		return err
	}
	t.Printf("stored: Paul with three addresses, a pickup store and an order")
	return nil
}

func (t tour) shop(ctx context.Context) error {
	if err := t.store.AddToCart(ctx, user, "Coffee", "CoffeeSKU"); err != nil {
		return err
	}
	*t.clock = t.clock.Add(22*time.Hour + 39*time.Minute + 21*time.Second)
	err := errors.Join(
		t.store.AddToCart(ctx, user, "Spice", "SpiceSKU"),
		t.store.SaveForLater(ctx, user, "Cocoa", "CocoaSKU"),
		t.store.AddWish(ctx, &Wish{User: user, Product: "Ornithopter"}),
	)
	if err != nil {
		return err
	}
	t.Printf("he adds coffee and spice to his cart, saves cocoa for later, and adds an ornithopter to his wish list")
	return nil
}

func (t tour) cart(ctx context.Context) error {
	t.Printf("\nactive items: %s", program.List(t.store.Active(ctx, user), product))
	t.Printf("all items of the cart: %s", program.List(t.store.Cart(ctx, user), product))
	t.Printf("active items added since November 28: %s", program.List(t.store.AddedSince(ctx, user, date(2019, time.November, 28)), product))
	return nil
}

func (t tour) addresses(ctx context.Context) error {
	home, err := t.store.DefaultAddress(ctx, user)
	if err != nil {
		return err
	}
	t.Printf("\ndefault address: %s", street(home))
	for _, p := range []Place{{}, {Country: "USA", State: "CA"}, {Country: "USA", State: "OR", City: "Florence"}, {Country: "Arrakis"}} {
		t.Printf("addresses in %s: %s", p, program.List(t.store.AddressesIn(ctx, user, p), street))
	}
	return nil
}

func (t tour) activate(ctx context.Context) error {
	*t.clock = t.clock.Add(time.Hour)
	if err := t.store.Activate(ctx, user, "Cocoa"); err != nil {
		return err
	}
	t.Printf("\nhe activates the cocoa")
	t.Printf("active items: %s", program.List(t.store.Active(ctx, user), product))
	t.Printf("active items, oldest first: %s", program.List(t.store.AddedSince(ctx, user, date(2019, time.November, 1)), product))
	return nil
}

func (t tour) account(ctx context.Context) error {
	a, err := t.store.Account(ctx, user)
	if err != nil {
		return err
	}
	t.Printf("\nall items of %s %s in one request: %d addresses, %d items in the cart, %d order, %d pickup store, %d wish",
		a.Profile.FirstName, a.Profile.LastName, len(a.Addresses), len(a.Cart), len(a.Orders), len(a.Pickups), len(a.Wishes))
	return nil
}

func product(i Item) string   { return i.Product }
func street(a Address) string { return a.Street }

func (p Place) String() string {
	switch {
	case p.Country == "":
		return "all places"
	case p.State == "":
		return p.Country
	case p.City == "":
		return p.State + ", " + p.Country
	}
	return p.City + ", " + p.State + ", " + p.Country
}
