package document_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// The profile of a shop's user, by vertical partitioning, with the keys of an existing table.
type (
	shopName struct {
		_       entity.Key `type:"name" pk:"<id>" sk:"ProfileName"`
		ID      string     `dynamodbav:"id"`
		First   string     `dynamodbav:"FirstName"`
		Last    string     `dynamodbav:"LastName"`
		Joined  string     `dynamodbav:"DateJoined"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	shopAddress struct {
		_     entity.Key `type:"address" pk:"<id>" sk:"Address#<place>"`
		ID    string     `dynamodbav:"id"`
		Place string     `dynamodbav:"place"` // country, state, city and zip code
		Data  string     `dynamodbav:"data"`
		Kind  string     `dynamodbav:"GSI-SK"`
		document.Part
	}
	cartItem struct {
		_       entity.Key `type:"cart" pk:"<id>" sk:"Cart#<state>#<product>"`
		ID      string     `dynamodbav:"id"`
		State   string     `dynamodbav:"state"`
		Product string     `dynamodbav:"product"`
		Data    string     `dynamodbav:"data,omitempty"`
		Added   string     `dynamodbav:"GSI-SK,omitempty"`
		document.Part
	}
	shopOrder struct {
		_     entity.Key `type:"order" pk:"<id>" sk:"OrderHistory#<order>"`
		ID    string     `dynamodbav:"id"`
		Order string     `dynamodbav:"order"`
		document.Part
	}
	shopStore struct {
		_     entity.Key `type:"store" pk:"<id>" sk:"Store#<store>"`
		ID    string     `dynamodbav:"id"`
		Store string     `dynamodbav:"store"`
		document.Part
	}
	// dream is an item of a wish list, between the keys of the cart and of the orders.
	dream struct {
		_    entity.Key `type:"dream" pk:"<id>" sk:"Dream#<name>"`
		ID   string     `dynamodbav:"id"`
		Name string     `dynamodbav:"name"`
	}
	shopUser struct {
		document.State
		Name      shopName
		Addresses []shopAddress
		Cart      []cartItem
		Orders    []shopOrder
		Stores    []shopStore
	}
)

// meter counts the items and units of reads.
type meter struct {
	mu    sync.Mutex
	items int
	reads int
	units trestle.Capacity
}

func (m *meter) Start(context.Context, trestle.OperationInfo) context.Context { return nil }

func (m *meter) End(_ context.Context, e trestle.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items += e.Items + e.Unknown + e.Skipped
	m.reads += e.Requests
	m.units.Add(e.Capacity)
}

func (m *meter) take() (items, requests int, units trestle.Capacity) {
	m.mu.Lock()
	defer m.mu.Unlock()
	items, requests, units = m.items, m.reads, m.units
	m.items, m.reads, m.units = 0, 0, trestle.Capacity{}
	return items, requests, units
}

// sortKeys returns the sort keys of a partition, in their order.
func sortKeys(t *testing.T, client *dynamodb.Client, table, partition string) (list []string) {
	t.Helper()
	out, err := client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: &table, KeyConditionExpression: aws.String("PK = :p"), ConsistentRead: aws.Bool(true),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: partition}},
	})
	require.NoError(t, err)
	for _, item := range out.Items {
		list = append(list, item["SK"].(*types.AttributeValueMemberS).Value)
	}
	return list
}

// The cart is read without the wish list, and the whole profile too.
func TestShoppingCart(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, m, client := t.Context(), &meter{}, e.Client(t)
		s := entity.NewSchema(entity.Config{Raw: true, Observer: m})
		users, dreams := document.Define[shopUser](s), entity.Define[dream](s)
		entity.Define[shopName](s)
		entity.Define[shopAddress](s)
		carts := entity.Define[cartItem](s)
		entity.Define[shopOrder](s)
		entity.Define[shopStore](s)
		table, err := s.Open(client, "shop")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		repo := users.In(table, document.Config{})
		for _, name := range []string{"Ornithopter", "Stillsuit"} {
			require.NoError(t, dreams.In(table).Put(ctx, &dream{ID: "UserID", Name: name}))
		}
		u := shopUser{
			Name:      shopName{ID: "UserID", First: "Paul", Last: "Atreides", Joined: "1965-08-01"},
			Addresses: []shopAddress{{Place: "USA#CA#LA#90029", Data: "Street Address", Kind: "Default"}},
			Cart: []cartItem{
				{State: "ACTIVE", Product: "Coffee", Data: "CoffeeSKU", Added: "2019-11-27T103324"},
				{State: "ACTIVE", Product: "Spice", Data: "SpiceSKU", Added: "2019-11-28T091245"},
				{State: "SAVED", Product: "Cocoa"},
			},
			Orders: []shopOrder{{Order: "OrderUID"}},
			Stores: []shopStore{{Store: "StoreUID"}},
		}
		require.NoError(t, repo.Save(ctx, &u))
		m.take()

		got, err := repo.Read(ctx, shopUser{Name: shopName{ID: "UserID"}}, document.Strong())
		require.NoError(t, err)
		require.Equal(t, u.Cart, got.Cart)
		require.Equal(t, u.Name, got.Name)
		items, requests, _ := m.take()
		require.Equal(t, 7, items, "nothing else is read")
		require.Equal(t, 2, requests, "the wish list is between the parts")

		got, err = repo.Read(ctx, shopUser{Name: shopName{ID: "UserID"}}, document.Strong(), document.Parts("Cart"))
		require.NoError(t, err)
		require.Equal(t, u.Cart, got.Cart)
		require.Empty(t, got.Orders)
		items, requests, _ = m.take()
		require.Equal(t, 3+1, items, "the cart and the root")
		require.Equal(t, 2, requests)

		active, err := query.Of(carts.In(table), cartItem{ID: "UserID"}).Collection().Prefix("Cart#ACTIVE#").Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, active)
		m.take()
		got.Cart[1].Data = "SpiceSKU2"
		require.NoError(t, carts.In(table).Put(ctx, &got.Cart[1]))
		_, _, units := m.take()
		require.InDelta(t, 1, units.Write, 0, "an update of one part by its own repository")
		again, err := repo.Read(ctx, shopUser{Name: shopName{ID: "UserID"}}, document.Strong())
		require.NoError(t, err)
		require.Equal(t, "SpiceSKU2", again.Cart[1].Data)

		require.Equal(t, []string{
			"Address#USA#CA#LA#90029", "Cart#ACTIVE#Coffee", "Cart#ACTIVE#Spice", "Cart#SAVED#Cocoa", "Dream#Ornithopter", "Dream#Stillsuit",
			"OrderHistory#OrderUID", "ProfileName", "Store#StoreUID",
		}, sortKeys(t, client, "shop", "UserID"))
	})
}

// The item collection of a user, with three items of a wish list that are not parts.
type (
	information struct {
		_       entity.Key `type:"information" pk:"<id>" sk:"U#Information"`
		ID      string     `dynamodbav:"id"`
		Email   string     `dynamodbav:"email"`
		Version int64      `dynamodbav:"version" entity:"version"`
		document.Root
	}
	delivery struct {
		_      entity.Key `type:"address" pk:"<id>" sk:"U#Address#<name>"`
		ID     string     `dynamodbav:"id"`
		Name   string     `dynamodbav:"name"`
		Street string     `dynamodbav:"street"`
		document.Part
	}
	account struct {
		_    entity.Key `type:"account" pk:"<id>" sk:"M#Account"`
		ID   string     `dynamodbav:"id"`
		Plan string     `dynamodbav:"plan"`
		document.Part
	}
	preference struct {
		_     entity.Key `type:"preference" pk:"<id>" sk:"P#<name>"`
		ID    string     `dynamodbav:"id"`
		Name  string     `dynamodbav:"name"`
		Value string     `dynamodbav:"value"`
		document.Part
	}
	wishItem struct {
		_  entity.Key `type:"wish" pk:"<id>" sk:"M#WishList#<of>#<at>"`
		ID string     `dynamodbav:"id"`
		Of string     `dynamodbav:"of"`
		At string     `dynamodbav:"at"`
	}
	member struct {
		document.State
		Information information
		Addresses   []delivery
		Account     *account
		Preferences []preference
	}
)

func TestUserCollection(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, m := t.Context(), &meter{}
		s := entity.NewSchema(entity.Config{Raw: true, Observer: m})
		members, wishes := document.Define[member](s), entity.Define[wishItem](s)
		infos := entity.Define[information](s)
		entity.Define[delivery](s)
		entity.Define[account](s)
		entity.Define[preference](s)
		client := e.Client(t)
		table, err := s.Open(client, "members")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		repo := members.In(table, document.Config{})
		for _, w := range []wishItem{{Of: "Private", At: "2021-10-01"}, {Of: "Public", At: "2021-11-24"}, {Of: "Public", At: "2022-01-01"}} {
			w.ID = "6297D15"
			require.NoError(t, wishes.In(table).Put(ctx, &w))
		}
		u := member{
			Information: information{ID: "6297D15", Email: "kim@example.com"},
			Addresses:   []delivery{{Name: "Delivery", Street: "1 Main"}, {Name: "Home", Street: "2 Main"}},
			Account:     &account{Plan: "free"},
			Preferences: []preference{{Name: "Currency", Value: "EUR"}, {Name: "Language", Value: "en"}, {Name: "Theme", Value: "dark"}},
		}
		require.NoError(t, repo.Save(ctx, &u))
		m.take()
		got, err := repo.Read(ctx, member{Information: information{ID: "6297D15"}}, document.Strong())
		require.NoError(t, err)
		require.Equal(t, u.Preferences, got.Preferences)
		require.Equal(t, u.Account, got.Account)
		items, _, units := m.take()
		require.Equal(t, 7, items, "the wish list is not read")
		require.LessOrEqual(t, units.Read, 2.0)
		n, err := query.Of(infos.In(table), information{ID: "6297D15"}).Collection().Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 10, n)
		require.NoError(t, repo.Delete(ctx, got))
		require.Equal(t, []string{"M#WishList#Private#2021-10-01", "M#WishList#Public#2021-11-24", "M#WishList#Public#2022-01-01"},
			sortKeys(t, client, "members", "6297D15"))
	})
}
