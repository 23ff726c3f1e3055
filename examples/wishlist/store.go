package main

import (
	"context"
	"iter"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods.
type Store struct {
	informations *entity.Repo[Information]
	addresses    *entity.Repo[Address]
	accounts     *entity.Repo[Account]
	wishes       *entity.Repo[Wish]
	preferences  *entity.Repo[Preference]
}

func NewStore(t *entity.Table) Store {
	return Store{Informations.In(t), Addresses.In(t), Accounts.In(t), Wishes.In(t), Preferences.In(t)}
}

func (s Store) SignUp(ctx context.Context, i *Information) error {
	return s.informations.Create(ctx, i)
}
func (s Store) Join(ctx context.Context, a *Account) error       { return s.accounts.Create(ctx, a) }
func (s Store) SetAddress(ctx context.Context, a *Address) error { return s.addresses.Put(ctx, a) }
func (s Store) SetPreference(ctx context.Context, p *Preference) error {
	return s.preferences.Put(ctx, p)
}
func (s Store) AddWish(ctx context.Context, w *Wish) error { return s.wishes.Create(ctx, w) }

// ChangeEmail writes one small item. Its cost does not depend on the other items of the user.
func (s Store) ChangeEmail(ctx context.Context, user, email string) (Information, error) {
	return s.informations.Update(ctx, Information{UserID: user}, Email.Set(email))
}

func (s Store) Information(ctx context.Context, user string) (Information, error) {
	return s.informations.Get(ctx, Information{UserID: user})
}

// Everything returns all items of a user, sorted by sort key.
func (s Store) Everything(ctx context.Context, user string) iter.Seq2[any, error] {
	return query.Items(ctx, s.collection(user))
}

// Profile is the information and the addresses of a user.
type Profile struct {
	Information Information
	Addresses   []Address
}

// Profile reads the items whose sort key begins with U#, which have two types, with one query.
func (s Store) Profile(ctx context.Context, user string) (p Profile, err error) {
	err = query.Load(ctx, s.collection(user).Prefix("U#"), &p)
	return p, err
}

func (s Store) Addresses(ctx context.Context, user string) iter.Seq2[Address, error] {
	return query.Of(s.addresses, Address{UserID: user}).All(ctx)
}

// Wishes returns the private wishes and then the public ones, each oldest first.
func (s Store) Wishes(ctx context.Context, user string) iter.Seq2[Wish, error] {
	return s.wishesOf(user).All(ctx)
}

// WishesSeenBy returns the wishes of one visibility, oldest first.
func (s Store) WishesSeenBy(ctx context.Context, user string, v Visibility) iter.Seq2[Wish, error] {
	return s.wishesOf(user).Where(WishSeenBy.Eq(v)).All(ctx)
}

// NewestWishes returns the wishes of one visibility, newest first.
func (s Store) NewestWishes(ctx context.Context, user string, v Visibility) iter.Seq2[Wish, error] {
	return s.wishesOf(user).Where(WishSeenBy.Eq(v)).Desc().All(ctx)
}

// WishesDuring returns the wishes of one visibility that were added in a period, such as
// attr.Year(2021), oldest first.
func (s Store) WishesDuring(ctx context.Context, user string, v Visibility, p attr.Period) iter.Seq2[Wish, error] {
	return s.wishesOf(user).Where(WishSeenBy.Eq(v), attr.During(WishAddedAt, p)).All(ctx)
}

func (s Store) collection(user string) query.Collection {
	return query.Of(s.informations, Information{UserID: user}).Collection()
}

func (s Store) wishesOf(user string) query.Query[Wish] { return query.Of(s.wishes, Wish{UserID: user}) }
