package main

import (
	"context"
	"iter"
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	profiles  *entity.Repo[Profile]
	addresses *entity.Repo[Address]
	items     *entity.Repo[Item]
	orders    *entity.Repo[Order]
	pickups   *entity.Repo[Pickup]
	wishes    *entity.Repo[Wish]
	now       func() time.Time
}

func NewStore(t *entity.Table, now func() time.Time) Store {
	return Store{Profiles.In(t), Addresses.In(t), Items.In(t), Orders.In(t), Pickups.In(t), Wishes.In(t), now}
}

func (s Store) Register(ctx context.Context, p *Profile) error   { return s.profiles.Create(ctx, p) }
func (s Store) AddAddress(ctx context.Context, a *Address) error { return s.addresses.Put(ctx, a) }
func (s Store) PlaceOrder(ctx context.Context, o *Order) error   { return s.orders.Create(ctx, o) }
func (s Store) AddPickup(ctx context.Context, p *Pickup) error   { return s.pickups.Put(ctx, p) }
func (s Store) AddWish(ctx context.Context, w *Wish) error       { return s.wishes.Put(ctx, w) }

// AddToCart puts a product into the cart, to buy now.
func (s Store) AddToCart(ctx context.Context, user, product, sku string) error {
	return s.items.Put(ctx, &Item{User: user, Status: Active, Product: product, SKU: sku, Added: s.now()})
}

// SaveForLater puts a product into the cart, to buy later.
func (s Store) SaveForLater(ctx context.Context, user, product, sku string) error {
	return s.items.Put(ctx, &Item{User: user, Status: Saved, Product: product, SKU: sku})
}

// Activate moves a product from the saved items to the active items. The status is part of the key,
// so Activate stores a new item and then deletes the old one. If the program stops in between, the
// cart has the product twice until Activate is called again.
func (s Store) Activate(ctx context.Context, user, product string) error {
	old, err := s.items.Get(ctx, Item{User: user, Status: Saved, Product: product})
	if err != nil {
		return err
	}
	if err := s.AddToCart(ctx, user, product, old.SKU); err != nil {
		return err
	}
	return s.items.Delete(ctx, old)
}

// Active returns the items that a user wants to buy now.
func (s Store) Active(ctx context.Context, user string) iter.Seq2[Item, error] {
	return query.Of(s.items, Item{User: user}).Where(ItemStatus.Eq(Active)).All(ctx)
}

// Cart returns the whole cart, including the saved items.
func (s Store) Cart(ctx context.Context, user string) iter.Seq2[Item, error] {
	return query.Of(s.items, Item{User: user}).All(ctx)
}

// AddedSince returns the active items that a user has added since a time, oldest first. The time is
// truncated to seconds.
func (s Store) AddedSince(ctx context.Context, user string, since time.Time) iter.Seq2[Item, error] {
	since = since.Truncate(time.Second) // the key has whole seconds
	return query.On(s.items, "by-added", Item{User: user}).Where(attr.Since(Added, since)).All(ctx)
}

// Place is a country, a state in it, or a city in that state.
type Place struct{ Country, State, City string }

// AddressesIn returns a user's addresses in a place. The zero Place selects all addresses.
func (s Store) AddressesIn(ctx context.Context, user string, in Place) iter.Seq2[Address, error] {
	q := query.Of(s.addresses, Address{User: user})
	if in.Country != "" {
		q = q.Where(Country.Eq(in.Country))
	}
	if in.State != "" {
		q = q.Where(State.Eq(in.State))
	}
	if in.City != "" {
		q = q.Where(City.Eq(in.City))
	}
	return q.All(ctx)
}

// DefaultAddress returns the address to which a user's orders are sent.
func (s Store) DefaultAddress(ctx context.Context, user string) (Address, error) {
	return query.On(s.addresses, "default", Address{User: user}).One(ctx)
}

// Account is all items of a user.
type Account struct {
	Profile   Profile
	Addresses []Address
	Cart      []Item
	Orders    []Order
	Pickups   []Pickup
	Wishes    []Wish
}

// Account reads all items of a user with one query.
func (s Store) Account(ctx context.Context, user string) (a Account, err error) {
	err = query.Load(ctx, query.Of(s.profiles, Profile{User: user}).Collection(), &a)
	return a, err
}
