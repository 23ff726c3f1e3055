package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/program"
)

const user = "6297D15"

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "wishlist")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(table)}
	return program.RunSteps(ctx, t.fill, t.everything, t.profile, t.wishes, t.change, t.costs)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

func (t tour) fill(ctx context.Context) error {
	if err := fill(ctx, t.store); err != nil {
		return err
	}
	t.Printf("user %s is stored as ten items", user)
	return nil
}

// fill stores the user in ten items: three of U#, four of M# and three of P#.
func fill(ctx context.Context, s Store) error {
	return errors.Join(
		s.SignUp(ctx, &Information{UserID: user, Name: "Ada Lind", Email: "ada@example.com"}),
		s.SetAddress(ctx, &Address{UserID: user, Name: "Home", Street: "Nygata 5", City: "Bergen"}),
		s.SetAddress(ctx, &Address{UserID: user, Name: "Delivery", Street: "Kaien 12", City: "Bergen"}),
		s.Join(ctx, &Account{UserID: user, JoinedAt: at(2019, 3, 1, 12, 0, 0)}),
		s.AddWish(ctx, &Wish{UserID: user, Visibility: Public, AddedAt: at(2021, 11, 24, 7, 20, 0), Product: "skis"}),
		s.AddWish(ctx, &Wish{UserID: user, Visibility: Public, AddedAt: at(2020, 12, 31, 23, 59, 59), Product: "kite"}),
		s.AddWish(ctx, &Wish{UserID: user, Visibility: Private, AddedAt: at(2021, 12, 2, 18, 30, 0), Product: "ring"}),
		s.SetPreference(ctx, &Preference{UserID: user, Name: "Language", Value: "nb"}),
		s.SetPreference(ctx, &Preference{UserID: user, Name: "Newsletter", Value: "weekly"}),
		s.SetPreference(ctx, &Preference{UserID: user, Name: "Theme", Value: "dark"}),
	)
}

func at(year int, month time.Month, day, hour, minute, second int) time.Time {
	return time.Date(year, month, day, hour, minute, second, 0, time.UTC)
}

func (t tour) everything(ctx context.Context) error {
	t.Printf("\nall items, read by one query as Go values in key order:")
	for item, err := range t.store.Everything(ctx, user) {
		if err != nil {
			return err
		}
		t.Printf("  %s", describe(item))
	}
	return nil
}

func (t tour) profile(ctx context.Context) error {
	p, err := t.store.Profile(ctx, user)
	if err != nil {
		return err
	}
	t.Printf("\nthe items whose sort key begins with U#, of two types, loaded into a struct:")
	t.Printf("  %s <%s>", p.Information.Name, p.Information.Email)
	for _, a := range p.Addresses {
		t.Printf("  %s: %s, %s", a.Name, a.Street, a.City)
	}
	i, err := t.store.Information(ctx, user)
	if err != nil {
		return err
	}
	t.Printf("the item U#Information: %s", i.Name)
	t.Printf("the addresses: %s", program.List(t.store.Addresses(ctx, user), func(a Address) string { return a.Name }))
	return nil
}

func (t tour) wishes(ctx context.Context) error {
	product := func(w Wish) string { return w.Product }
	t.Printf("\nwish list, private wishes first: %s", program.List(t.store.Wishes(ctx, user), product))
	t.Printf("public wishes, oldest first: %s", program.List(t.store.WishesSeenBy(ctx, user, Public), product))
	t.Printf("public wishes, newest first: %s", program.List(t.store.NewestWishes(ctx, user, Public), product))
	t.Printf("public wishes of 2020: %s", program.List(t.store.WishesDuring(ctx, user, Public, attr.Year(2020)), product))
	t.Printf("public wishes of November 2021: %s", program.List(t.store.WishesDuring(ctx, user, Public, attr.Month(2021, time.November)), product))
	t.Printf("public wishes of December 2021: %s", program.List(t.store.WishesDuring(ctx, user, Public, attr.Month(2021, time.December)), product))
	return nil
}

func (t tour) change(ctx context.Context) error {
	i, err := t.store.ChangeEmail(ctx, user, "lind@example.com")
	if err != nil {
		return err
	}
	t.Printf("\nthe email address of %s is now %s", i.Name, i.Email)
	return nil
}

func describe(item any) string {
	switch v := item.(type) {
	case Information:
		return "information " + v.Name
	case Address:
		return "address     " + v.Name
	case Account:
		return "account     since " + v.JoinedAt.Format(time.DateOnly)
	case Wish:
		return fmt.Sprintf("wish        %s %s %s", v.Visibility, v.AddedAt.Format(time.DateOnly), v.Product)
	case Preference:
		return "preference  " + v.Name + " " + v.Value
	default:
		return "?"
	}
}
