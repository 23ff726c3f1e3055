package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/examples/internal/costs"
	"github.com/trestledb/trestle/internal/costtest"
	"github.com/trestledb/trestle/query"
)

// The requests of the store cost what Explain reports.
func TestCosts(t *testing.T) {
	t.Parallel()
	costs.Check(t, func(t *testing.T, client trestle.Client, text string) (string, []costs.Pattern) {
		table, err := Schema.Open(client, "wishlist")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		s := NewStore(table)
		require.NoError(t, fill(t.Context(), s))
		return table.Name(), append(readCosts(s), writeCosts(s, text)...)
	})
}

func readCosts(s Store) []costs.Pattern {
	public := s.wishesOf(user).Where(WishSeenBy.Eq(Public))
	in2021, in1999 := attr.Year(2021), attr.Year(1999)
	return []costs.Pattern{
		costs.Of("everything", func(ctx context.Context) error { return costs.ReadAll(s.Everything(ctx, user)) }, costtest.Query(s.collection(user))),
		costs.Of("profile", func(ctx context.Context) error { return costs.Err(s.Profile(ctx, user)) },
			costtest.Query(s.collection(user).Prefix("U#"))),
		costs.Of("information", func(ctx context.Context) error { return costs.Err(s.Information(ctx, user)) },
			costtest.Get(s.informations, Information{UserID: user})),
		costs.Of("addresses", func(ctx context.Context) error { return costs.ReadAll(s.Addresses(ctx, user)) },
			costtest.Query(query.Of(s.addresses, Address{UserID: user}))),
		costs.Of("wishes", func(ctx context.Context) error { return costs.ReadAll(s.Wishes(ctx, user)) }, costtest.Query(s.wishesOf(user))),
		costs.Of("public wishes", func(ctx context.Context) error { return costs.ReadAll(s.WishesSeenBy(ctx, user, Public)) }, costtest.Query(public)),
		costs.Of("newest wishes", func(ctx context.Context) error { return costs.ReadAll(s.NewestWishes(ctx, user, Public)) },
			costtest.Query(public.Desc())),
		costs.Of("wishes of a year", func(ctx context.Context) error { return costs.ReadAll(s.WishesDuring(ctx, user, Public, in2021)) },
			costtest.Query(public.Where(attr.During(WishAddedAt, in2021)))),
		costs.Of("wishes of a year without any", func(ctx context.Context) error { return costs.ReadAll(s.WishesDuring(ctx, user, Public, in1999)) },
			costtest.Query(public.Where(attr.During(WishAddedAt, in1999)))),
	}
}

func writeCosts(s Store, text string) []costs.Pattern {
	information := &Information{UserID: "kim", Name: "Kim" + text}
	address := &Address{UserID: "kim", Name: "Home", Street: text}
	account := &Account{UserID: "kim"}
	wish := &Wish{UserID: "kim", Visibility: Public, AddedAt: at(2021, time.May, 1, 0, 0, 0), Product: "bike"}
	preference := &Preference{UserID: "kim", Name: "Theme", Value: text}
	return []costs.Pattern{
		costs.Of("sign up", func(ctx context.Context) error { return s.SignUp(ctx, information) }, costtest.Create(s.informations, information)),
		costs.Of("add an account", func(ctx context.Context) error { return s.Join(ctx, account) }, costtest.Create(s.accounts, account)),
		costs.Of("set an address", func(ctx context.Context) error { return s.SetAddress(ctx, address) }, costtest.Put(s.addresses, address)),
		costs.Of("set a preference", func(ctx context.Context) error { return s.SetPreference(ctx, preference) }, costtest.Put(s.preferences, preference)),
		costs.Of("add a wish", func(ctx context.Context) error { return s.AddWish(ctx, wish) }, costtest.Create(s.wishes, wish)),
		costs.Of("change the email", func(ctx context.Context) error { return costs.Err(s.ChangeEmail(ctx, user, "l@example.com")) },
			costtest.Update(s.informations, Information{UserID: user}, Email.Set("l@example.com"))),
	}
}
