package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// These are the rows of an existing table. The sort key identifies the type. The sort key of the
// index is a status for addresses and a time without colons for cart items. Both types therefore
// declare it as shared.
type (
	addressRow struct {
		_       entity.Key   `sk:"Address#<country>#<state>#<city>#<zip>"`
		_       entity.Index `name:"default" on:"GSI" shared:"yes"`
		User    string       `dynamodbav:"UserID"`
		Country string       `dynamodbav:"country" entity:"key"`
		State   string       `dynamodbav:"state" entity:"key"`
		City    string       `dynamodbav:"city" entity:"key"`
		Zip     string       `dynamodbav:"zip" entity:"key"`
		Status  string       `dynamodbav:"GSI-SK,omitempty"`
		Data    string       `dynamodbav:"data,omitempty"`
	}
	itemRow struct {
		_       entity.Key   `sk:"Cart#<status>#<product>"`
		_       entity.Index `name:"by-added" on:"GSI" sk:"<GSI-SK:compact>" shared:"yes"`
		User    string       `dynamodbav:"UserID"`
		Status  string       `dynamodbav:"status" entity:"key"`
		Product string       `dynamodbav:"product" entity:"key"`
		Added   time.Time    `dynamodbav:"GSI-SK,omitempty"`
		SKU     string       `dynamodbav:"data,omitempty"`
	}
	orderRow struct {
		_    entity.Key `sk:"OrderHistory#<order>"`
		User string     `dynamodbav:"UserID"`
		ID   string     `dynamodbav:"order" entity:"key"`
	}
	profileRow struct {
		_    entity.Key `sk:"ProfileName"`
		User string     `dynamodbav:"UserID"`
	}
	storeRow struct {
		_    entity.Key `sk:"Store#<store>"`
		User string     `dynamodbav:"UserID"`
		ID   string     `dynamodbav:"store" entity:"key"`
	}
	wishRow struct {
		_       entity.Key `sk:"WishList#<product>"`
		User    string     `dynamodbav:"UserID"`
		Product string     `dynamodbav:"product" entity:"key"`
	}
)

func rawSchema(t *testing.T) *entity.Schema {
	t.Helper()
	compact, err := keys.Layout("2006-01-02T150405")
	require.NoError(t, err)
	return entity.NewSchema(entity.Config{
		Partition: entity.S("UserID"), Raw: true, TypeAttribute: entity.None, WriteID: entity.None,
		Formats: map[string]keys.Format{"compact": compact},
		Indexes: []entity.IndexConfig{{Name: "GSI", Partition: []entity.Attribute{entity.S("UserID")}, Sort: []entity.Attribute{entity.S("GSI-SK")}}},
	})
}

// rawRows are the existing items of a user and a wish: sort key, data, sort key of the index.
const rawRows = `
Address#USA#CA#LA#90029  Street    Default
Cart#ACTIVE#Coffee       CoffeeSKU 2019-11-27T103324
Cart#ACTIVE#Spice        SpiceSKU  2019-11-28T091245
Cart#SAVED#Cocoa
OrderHistory#OrderUID
ProfileName
Store#StoreUID
WishList#Ornithopter
`

// rawItem returns a row as the SDK stores it.
func rawItem(row string) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"UserID": &types.AttributeValueMemberS{Value: user}}
	for i, word := range strings.Fields(row) {
		item[[]string{"SK", "data", "GSI-SK"}[i]] = &types.AttributeValueMemberS{Value: word}
	}
	return item
}

// rawShop reads the existing table.
type rawShop struct {
	addresses *entity.Repo[addressRow]
	items     *entity.Repo[itemRow]
	wishes    *entity.Repo[wishRow]
}

var (
	rawCountry = attr.Must(func(a *addressRow) *string { return &a.Country })
	rawState   = attr.Must(func(a *addressRow) *string { return &a.State })
	rawCity    = attr.Must(func(a *addressRow) *string { return &a.City })
	rawDefault = attr.Must(func(a *addressRow) *string { return &a.Status })
	rawStatus  = attr.Must(func(i *itemRow) *string { return &i.Status })
	rawAdded   = attr.Must(func(i *itemRow) *time.Time { return &i.Added })
)

func newRawShop(t *testing.T, m meter) shop {
	t.Helper()
	s := rawSchema(t)
	addresses, items, wishes := entity.Define[addressRow](s), entity.Define[itemRow](s), entity.Define[wishRow](s)
	entity.Define[orderRow](s)
	entity.Define[profileRow](s)
	entity.Define[storeRow](s)
	table := opened(t, s, m)
	for row := range strings.Lines(strings.TrimSpace(rawRows)) {
		_, err := m.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table.Name()), Item: rawItem(row)})
		require.NoError(t, err)
	}
	return rawShop{addresses.In(table), items.In(table), wishes.In(table)}
}

func (s rawShop) Active(ctx context.Context) ([]string, error) {
	return lines(query.Of(s.items, itemRow{User: user}).Where(rawStatus.Eq("ACTIVE")).All(ctx))
}

func (s rawShop) Cart(ctx context.Context) ([]string, error) {
	return lines(query.Of(s.items, itemRow{User: user}).All(ctx))
}

func (s rawShop) BySortKeyPrefix(ctx context.Context, status string) ([]string, error) {
	return lines(query.Items(ctx, query.Of(s.items, itemRow{User: user}).Collection().Prefix("Cart#"+status)))
}

func (s rawShop) AddedDuring(ctx context.Context, p attr.Period) ([]string, error) {
	return lines(query.On(s.items, "by-added", itemRow{User: user}).Where(attr.During(rawAdded, p)).All(ctx))
}

func (s rawShop) Added(ctx context.Context) ([]string, error) {
	return lines(query.On(s.items, "by-added", itemRow{User: user}).All(ctx))
}

func (s rawShop) AddressesIn(ctx context.Context, in Place) ([]string, error) {
	q := query.Of(s.addresses, addressRow{User: user})
	for _, level := range []struct {
		field *attr.Field[addressRow, string]
		name  string
	}{{rawCountry, in.Country}, {rawState, in.State}, {rawCity, in.City}} {
		if level.name != "" {
			q = q.Where(level.field.Eq(level.name))
		}
	}
	return lines(q.All(ctx))
}

func (s rawShop) DefaultAddress(ctx context.Context) (string, error) {
	a, err := query.On(s.addresses, "default", addressRow{User: user}).Where(rawDefault.Eq("Default")).One(ctx)
	return a.line(), err
}

func (s rawShop) Everything(ctx context.Context) ([]string, error) {
	return lines(query.Items(ctx, query.Of(s.items, itemRow{User: user}).Collection()))
}

func (s rawShop) Account(ctx context.Context) ([]string, error) {
	var a struct {
		Address addressRow
		Cart    []itemRow
		Order   *orderRow
		Profile profileRow
		Store   *storeRow
		Wishes  []wishRow
	}
	if err := query.Load(ctx, query.Of(s.items, itemRow{User: user}).Collection(), &a); err != nil {
		return nil, err
	}
	all := append([]string{a.Address.line()}, linesOf(a.Cart)...)
	all = append(all, a.Order.line(), a.Profile.line(), a.Store.line())
	return append(all, linesOf(a.Wishes)...), nil
}

func (s rawShop) AddAddress(ctx context.Context, in Place, zip string) error {
	return s.addresses.Put(ctx, &addressRow{User: user, Country: in.Country, State: in.State, City: in.City, Zip: zip})
}

func (s rawShop) Activate(ctx context.Context, product string) error {
	old, err := s.items.Get(ctx, itemRow{User: user, Status: "SAVED", Product: product})
	if err != nil {
		return err
	}
	if err := s.items.Put(ctx, &itemRow{User: user, Status: "ACTIVE", Product: product, SKU: old.SKU, Added: later()}); err != nil {
		return err
	}
	return s.items.Delete(ctx, old)
}

func (s rawShop) SetStatus(ctx context.Context, product, from, to string) error {
	_, err := s.items.Update(ctx, itemRow{User: user, Status: from, Product: product}, rawStatus.Set(to))
	return err
}

func (s rawShop) CountAdded(ctx context.Context) (int, error) {
	return query.On(s.items, "by-added", itemRow{User: user}).Count(ctx)
}

func (rawShop) UnknownItem() map[string]types.AttributeValue {
	return rawItem("Gift#Socks SocksSKU 2019-11-28T000000")
}

func (rawShop) Index() string { return "GSI" }

func (r addressRow) line() string { return addressLine(r.Country, r.State, r.City, r.Zip) }
func (r itemRow) line() string    { return "item " + r.Status + " " + r.Product }
func (r orderRow) line() string   { return "order " + r.ID }
func (profileRow) line() string   { return "profile" }
func (r storeRow) line() string   { return "store " + r.ID }
func (r wishRow) line() string    { return "wish " + r.Product }

// An existing row does not change when a type reads and writes it.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	s := rawSchema(t)
	again := []func(map[string]types.AttributeValue) map[string]types.AttributeValue{
		rewriter[addressRow](s), rewriter[itemRow](s), rewriter[orderRow](s), rewriter[profileRow](s), rewriter[storeRow](s), rewriter[wishRow](s),
	}
	require.NoError(t, s.Err())
	for row := range strings.Lines(strings.TrimSpace(rawRows)) {
		item := rawItem(row)
		var written []map[string]types.AttributeValue
		for _, write := range again {
			if got := write(item); got != nil {
				written = append(written, got)
			}
		}
		require.Equal(t, []map[string]types.AttributeValue{item}, written, "exactly one type can decode the item")
	}
}

// rewriter returns a function that decodes an item as a T and encodes it again. It returns nil for
// an item of another type.
func rewriter[T any](s *entity.Schema) func(map[string]types.AttributeValue) map[string]types.AttributeValue {
	e := entity.Define[T](s)
	return func(item map[string]types.AttributeValue) map[string]types.AttributeValue {
		v, err := e.Decode(item)
		if err != nil {
			return nil
		}
		again, err := e.Encode(&v)
		if err != nil {
			return nil
		}
		return again
	}
}
