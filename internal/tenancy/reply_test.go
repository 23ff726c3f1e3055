package tenancy_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/query"
)

// An item of another tenant that an index returns, because another program wrote it, is withheld.
func TestReply_foreignIndexEntry(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "ab", func(t *testing.T, w *world) {
		ctx, table := t.Context(), "photos"
		for _, s := range []service{w.a, w.b} {
			require.NoError(t, s.albums.Create(ctx, &album{ID: "1"}))
			require.NoError(t, s.photos.Create(ctx, &photo{Album: "1", ID: "p", Place: "x"}))
		}
		item, err := w.types.photos.Encode(&photo{Tenant: "ab", Album: "1", ID: "p", Place: "x"})
		require.NoError(t, err)
		item["GSI1PK"] = &sdk.AttributeValueMemberS{Value: w.layout.key("T#a#P#x")}
		_, err = w.raw.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)

		q := query.On(w.a.photos, "by-place", photo{Place: "x"})
		found, err := q.Collect(ctx)
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Empty(t, found)
		page, err := q.Page(ctx, "")
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Empty(t, page.Items)
		require.Empty(t, page.Next)
		// The owner's item has the index key of another tenant: reads and writes of it withhold it.
		got, err := w.b.photos.Get(ctx, photo{Album: "1", ID: "p"})
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Zero(t, got)
		got, err = w.b.photos.Update(ctx, photo{Album: "1", ID: "p"}, attr.Add(likes, 1))
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Equal(t, trestle.Applied, trestle.OutcomeOf(err), "the update was applied; only its reply is withheld")
		require.Zero(t, got)
	})
}

// Each reply and each error with an item of another tenant is refused.
func TestReply(t *testing.T) {
	t.Parallel()
	l := layouts()[0]
	l.config.Indexes = append(l.config.Indexes, entity.IndexConfig{Name: "GSI2"})
	y := l.types()
	table, err := y.schema.Open(dynamodb.New(dynamodb.Options{Region: "eu-north-1"}), "photos")
	require.NoError(t, err)
	g := tenancy.New(hooks.TableOf(table).Schema, "photos", "a")
	text := func(s string) sdk.AttributeValue { return &sdk.AttributeValueMemberS{Value: s} }
	own := map[string]sdk.AttributeValue{"PK": text("T#a#A#1"), "SK": text("XT#a#ALBUM"), "GSI1PK": text("T#a#P#1"), "title": text("T#ab")}
	with := func(name string, av sdk.AttributeValue) map[string]sdk.AttributeValue {
		foreign := maps.Clone(own)
		foreign[name] = av
		return foreign
	}
	owner := func(pk string) sdk.AttributeValue {
		return &sdk.AttributeValueMemberM{Value: map[string]sdk.AttributeValue{"PK": text(pk)}}
	}
	guard := with("PK", text("T#a#$U#unique#photo#name#x"))
	guard["_owner"] = owner("T#a#A#1")
	foreignGuard := maps.Clone(guard)
	foreignGuard["_owner"] = owner("T#ab#A#1")
	without := maps.Clone(own)
	delete(without, "PK")
	fine := []map[string]sdk.AttributeValue{own, nil, {}, guard, with("_owner", owner("T#ab"))}
	foreign := []map[string]sdk.AttributeValue{
		with("PK", text("T#ab#A#1")), with("PK", text("T#")), with("PK", text("a")), with("PK", &sdk.AttributeValueMemberNULL{Value: true}), with("SK", text("XT#ab#ALBUM")),
		with("GSI1PK", text("T#ab#P#1")), without, foreignGuard,
	}
	type items = []map[string]sdk.AttributeValue
	replies := func(i map[string]sdk.AttributeValue) []any {
		list := []any{
			&dynamodb.GetItemOutput{Item: i}, &dynamodb.PutItemOutput{Attributes: i}, &dynamodb.DeleteItemOutput{Attributes: i},
			&dynamodb.TransactGetItemsOutput{Responses: []sdk.ItemResponse{{Item: own}, {Item: i}}},
			&dynamodb.QueryOutput{LastEvaluatedKey: i}, &sdk.ConditionalCheckFailedException{Item: i},
			&sdk.TransactionCanceledException{CancellationReasons: []sdk.CancellationReason{{}, {Item: i}}},
		}
		if len(i) > 0 {
			list = append(
				list, &dynamodb.QueryOutput{Items: items{own, i}}, &dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]sdk.AttributeValue{"photos": {own, i}}},
				&dynamodb.BatchGetItemOutput{UnprocessedKeys: map[string]sdk.KeysAndAttributes{"photos": {Keys: items{i}}}},
				&dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]sdk.WriteRequest{"photos": {{PutRequest: &sdk.PutRequest{Item: i}}}}},
			)
		}
		return list
	}
	check := func(reply any) error {
		if err, failed := reply.(error); failed {
			return g.Reply(nil, err)
		}
		return g.Reply(reply, nil)
	}
	for n, i := range fine {
		for _, reply := range replies(i) {
			require.NoError(t, check(reply), "%d %T", n, reply)
		}
	}
	for n, i := range foreign {
		for _, reply := range replies(i) {
			require.ErrorIs(t, check(reply), trestle.ErrTenant, "%d %T", n, reply)
		}
	}
	require.NoError(t, check(&dynamodb.UpdateItemOutput{Attributes: map[string]sdk.AttributeValue{"title": text("x")}}), "changed attributes need no key")
	require.ErrorIs(t, check(&dynamodb.UpdateItemOutput{Attributes: with("GSI1PK", text("T#ab"))}), trestle.ErrTenant)
	require.NoError(t, check(&dynamodb.GetItemOutput{Item: with("GSI2PK", text("T#ab"))}), "no type with a tenant has a key in GSI2PK")
	require.NoError(t, check(errors.New("x")))
	require.NoError(t, check(&dynamodb.TransactWriteItemsOutput{}))
	require.ErrorIs(t, check(&dynamodb.ScanOutput{}), trestle.ErrTenant)
	require.NoError(t, (*tenancy.Guard)(nil).Reply(&dynamodb.ScanOutput{}, nil))
}
