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

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// This is an existing table. It has plain user IDs, unescaped values in keys, and no type
// attribute, so the key identifies the type.
type (
	oldInformation struct {
		_    entity.Key `pk:"<PK>" sk:"U#Information"`
		User string     `dynamodbav:"PK"`
		Name string
	}
	oldAddress struct {
		_      entity.Key `pk:"<PK>" sk:"U#Address#<Kind>"`
		User   string     `dynamodbav:"PK"`
		Kind   string     `entity:"key"`
		Street string
	}
	oldAccount struct {
		_      entity.Key `pk:"<PK>" sk:"M#Account"`
		User   string     `dynamodbav:"PK"`
		Joined string
	}
	oldWish struct {
		_       entity.Key `pk:"<PK>" sk:"M#WishList#<Seen>#<Added:s>"`
		User    string     `dynamodbav:"PK"`
		Seen    string     `entity:"key"`
		Added   time.Time  `entity:"key"`
		Product string
	}
	oldPreference struct {
		_     entity.Key `pk:"<PK>" sk:"P#<Kind>"`
		User  string     `dynamodbav:"PK"`
		Kind  string     `entity:"key"`
		Value string
	}
)

var (
	oldSchema       = entity.NewSchema(entity.Config{Raw: true, TypeAttribute: entity.None, WriteID: entity.None})
	oldInformations = entity.Define[oldInformation](oldSchema)
	oldAddresses    = entity.Define[oldAddress](oldSchema)
	oldAccounts     = entity.Define[oldAccount](oldSchema)
	oldWishes       = entity.Define[oldWish](oldSchema)
	oldPreferences  = entity.Define[oldPreference](oldSchema)

	oldSeen  = attr.Must(func(w *oldWish) *string { return &w.Seen })
	oldAdded = attr.Must(func(w *oldWish) *time.Time { return &w.Added })
)

// oldRows are the ten items: sort key, attribute, value.
const oldRows = `
U#Information                             Name    Ada Lind
U#Address#Home                            Street  Nygata 5
U#Address#Delivery                        Street  Kaien 12
M#Account                                 Joined  2019-03-01
M#WishList#Public#2021-11-24T07:20:00Z    Product skis
M#WishList#Public#2020-12-31T23:59:59Z    Product kite
M#WishList#Private#2021-12-02T18:30:00Z   Product ring
P#Language                                Value   nb
P#Newsletter                              Value   weekly
P#Theme                                   Value   dark
`

// oldItems returns the rows as the SDK stores them.
func oldItems() []map[string]types.AttributeValue {
	var items []map[string]types.AttributeValue
	for line := range strings.Lines(strings.TrimSpace(oldRows)) {
		f := strings.Fields(line)
		items = append(items, map[string]types.AttributeValue{
			"PK": avS(user), "SK": avS(f[0]), f[1]: avS(strings.Join(f[2:], " ")),
		})
	}
	return items
}

func avS(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// createExisting creates the table and stores its rows with the SDK alone.
func createExisting(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	text := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	name := aws.String("Users")
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: name, BillingMode: types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{key("PK", types.KeyTypeHash), key("SK", types.KeyTypeRange)},
		AttributeDefinitions: []types.AttributeDefinition{text("PK"), text("SK")},
	})
	require.NoError(t, err)
	for _, item := range oldItems() {
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: name, Item: item})
		require.NoError(t, err)
	}
}

// oldStore reads the existing table.
type oldStore struct{ table *entity.Table }

func (s oldStore) collection() query.Collection {
	return query.Of(oldInformations.In(s.table), oldInformation{User: user}).Collection()
}

func (s oldStore) wishesOf() query.Query[oldWish] {
	return query.Of(oldWishes.In(s.table), oldWish{User: user})
}

func (s oldStore) everything(ctx context.Context) ([]string, error) {
	return rowsOf(query.Items(ctx, s.collection()))
}

func (s oldStore) prefix(ctx context.Context, prefix string) ([]string, error) {
	return rowsOf(query.Items(ctx, s.collection().Prefix(prefix)))
}

func (s oldStore) profile(ctx context.Context) ([]string, error) {
	var p struct {
		Information oldInformation
		Addresses   []oldAddress
	}
	err := query.Load(ctx, s.collection().Prefix("U#"), &p)
	rows := make([]string, 0, 3)
	for _, a := range p.Addresses {
		rows = append(rows, rowOf(a))
	}
	return append(rows, rowOf(p.Information)), err
}

func (s oldStore) addresses(ctx context.Context) ([]string, error) {
	return rowsOf(query.Of(oldAddresses.In(s.table), oldAddress{User: user}).All(ctx))
}

func (s oldStore) information(ctx context.Context) ([]string, error) {
	i, err := oldInformations.In(s.table).Get(ctx, oldInformation{User: user})
	return []string{rowOf(i)}, err
}

func (s oldStore) wishes(ctx context.Context) ([]string, error) { return rowsOf(s.wishesOf().All(ctx)) }

func (s oldStore) public(ctx context.Context) ([]string, error) {
	return rowsOf(s.wishesOf().Where(oldSeen.Eq("Public")).All(ctx))
}

func (s oldStore) newest(ctx context.Context) ([]string, error) {
	return rowsOf(s.wishesOf().Where(oldSeen.Eq("Public")).Desc().All(ctx))
}

func (s oldStore) during(ctx context.Context, p attr.Period) ([]string, error) {
	return rowsOf(s.wishesOf().Where(oldSeen.Eq("Public"), attr.During(oldAdded, p)).All(ctx))
}

// The schema matches the existing table. Every row can be read, and does not change when it is
// written again.
func TestExistingRowsDoNotChange(t *testing.T) {
	t.Parallel()
	require.NoError(t, oldSchema.Err())
	round(t, oldItems()[0:1], oldInformations)
	round(t, oldItems()[1:3], oldAddresses)
	round(t, oldItems()[3:4], oldAccounts)
	round(t, oldItems()[4:7], oldWishes)
	round(t, oldItems()[7:], oldPreferences)
}

// A key in whole seconds cannot store a fraction of a second. A time that is only in the key is
// therefore rejected. A time with an attribute of its own keeps its fraction.
func TestTimeInKeyOnlyMustFitItsFormat(t *testing.T) {
	t.Parallel()
	fraction := time.Date(2021, 11, 24, 7, 20, 0, 1, time.UTC)
	_, err := oldWishes.Encode(&oldWish{User: user, Seen: "Public", Added: fraction, Product: "skis"})
	require.ErrorIs(t, err, trestle.ErrInvalid)
	item, err := Wishes.Encode(&Wish{UserID: user, Visibility: Public, AddedAt: fraction, Product: "skis"})
	require.NoError(t, err)
	w, err := Wishes.Decode(item)
	require.NoError(t, err)
	require.Equal(t, fraction, w.AddedAt)
}

func round[T any](t *testing.T, items []map[string]types.AttributeValue, of *entity.Type[T]) {
	t.Helper()
	for _, item := range items {
		e, err := of.Decode(item)
		require.NoError(t, err)
		again, err := of.Encode(&e)
		require.NoError(t, err)
		require.Equal(t, item, again)
	}
}
