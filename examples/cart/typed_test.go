package main

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/query"
)

// typedShop reads with the program's store.
type typedShop struct{ store Store }

// newTypedShop stores the data of the existing table.
func newTypedShop(t *testing.T, m meter) shop {
	t.Helper()
	ctx := t.Context()
	s := NewStore(opened(t, Schema, m), later)
	require.NoError(t, s.AddAddress(ctx, &Address{User: user, Country: "USA", State: "CA", City: "LA", Zip: "90029", Default: true}))
	for product, at := range map[string]time.Time{
		"Coffee": time.Date(2019, time.November, 27, 10, 33, 24, 0, time.UTC), "Spice": time.Date(2019, time.November, 28, 9, 12, 45, 0, time.UTC),
	} {
		require.NoError(t, s.items.Put(ctx, &Item{User: user, Status: Active, Product: product, SKU: product + "SKU", Added: at}))
	}
	require.NoError(t, s.SaveForLater(ctx, user, "Cocoa", "CocoaSKU"))
	require.NoError(t, s.PlaceOrder(ctx, &Order{User: user, ID: "OrderUID"}))
	require.NoError(t, s.Register(ctx, &Profile{User: user}))
	require.NoError(t, s.AddPickup(ctx, &Pickup{User: user, ID: "StoreUID"}))
	require.NoError(t, s.AddWish(ctx, &Wish{User: user, Product: "Ornithopter"}))
	return typedShop{s}
}

func (s typedShop) Active(ctx context.Context) ([]string, error) {
	return lines(s.store.Active(ctx, user))
}
func (s typedShop) Cart(ctx context.Context) ([]string, error) { return lines(s.store.Cart(ctx, user)) }

func (s typedShop) BySortKeyPrefix(ctx context.Context, status string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(s.store.items, Item{User: user}).Collection().Prefix("CART#"+status)))
}

func (s typedShop) AddedDuring(ctx context.Context, p attr.Period) ([]string, error) {
	return lines(query.On(s.store.items, "by-added", Item{User: user}).Where(attr.During(Added, p)).All(ctx))
}

func (s typedShop) Added(ctx context.Context) ([]string, error) {
	// A caller may pass a time with a fraction of a second.
	return lines(s.store.AddedSince(ctx, user, attr.Year(2000).Start.Add(time.Millisecond)))
}

func (s typedShop) AddressesIn(ctx context.Context, in Place) ([]string, error) {
	return lines(s.store.AddressesIn(ctx, user, in))
}

func (s typedShop) DefaultAddress(ctx context.Context) (string, error) {
	a, err := s.store.DefaultAddress(ctx, user)
	return a.line(), err
}

func (s typedShop) Everything(ctx context.Context) ([]string, error) {
	return lines(query.Items(ctx, query.Of(s.store.profiles, Profile{User: user}).Collection()))
}

func (s typedShop) Account(ctx context.Context) ([]string, error) {
	a, err := s.store.Account(ctx, user)
	if err != nil {
		return nil, err
	}
	all := append(linesOf(a.Addresses), linesOf(a.Cart)...)
	all = append(append(all, linesOf(a.Orders)...), a.Profile.line())
	return append(append(all, linesOf(a.Pickups)...), linesOf(a.Wishes)...), nil
}

func (s typedShop) AddAddress(ctx context.Context, in Place, zip string) error {
	return s.store.AddAddress(ctx, &Address{User: user, Country: in.Country, State: in.State, City: in.City, Zip: zip})
}

func (s typedShop) Activate(ctx context.Context, product string) error {
	return s.store.Activate(ctx, user, product)
}

func (s typedShop) SetStatus(ctx context.Context, product, from, to string) error {
	_, err := s.store.items.Update(ctx, Item{User: user, Status: Status(from), Product: product}, ItemStatus.Set(Status(to)))
	return err
}

func (s typedShop) CountAdded(ctx context.Context) (int, error) {
	return query.On(s.store.items, "by-added", Item{User: user}).Count(ctx)
}

func (typedShop) UnknownItem() map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{}
	for name, text := range map[string]string{
		"PK": "USER#" + user, "SK": "GIFT#Socks", "_type": "gift", "GSI1PK": "USER#" + user, "GSI1SK": "ADDED#2019-11-28T00:00:00Z#Socks",
	} {
		item[name] = &types.AttributeValueMemberS{Value: text}
	}
	return item
}

func (typedShop) Index() string { return "GSI1" }

func (a Address) line() string { return addressLine(a.Country, a.State, a.City, a.Zip) }
func (i Item) line() string    { return "item " + string(i.Status) + " " + i.Product }
func (o Order) line() string   { return "order " + o.ID }
func (Profile) line() string   { return "profile" }
func (p Pickup) line() string  { return "store " + p.ID }
func (w Wish) line() string    { return "wish " + w.Product }
