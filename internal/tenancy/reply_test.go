package tenancy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/tenancy"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
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
		requireKey(t, err, item)
		n, err := q.Count(ctx)
		require.ErrorIs(t, err, trestle.ErrTenant, "a count checks the keys of the entries")
		require.Zero(t, n)
		requireKey(t, err, item)
		n, err = query.On(w.b.photos, "by-place", photo{Place: "x"}).Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 0, n, "the entry has another index key")
		page, err := q.Page(ctx, "")
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Empty(t, page.Items)
		require.Empty(t, page.Next)
		// The owner's item has the index key of another tenant: reads and writes of it withhold it.
		got, err := w.b.photos.Get(ctx, photo{Album: "1", ID: "p"})
		require.ErrorIs(t, err, trestle.ErrTenant)
		require.Zero(t, got)
		for _, photos := range []*entity.Repo[photo]{w.b.photos, w.b.photos.With(entity.AttributeValues())} {
			got, err = photos.Update(ctx, photo{Album: "1", ID: "p"}, attr.Add(likes, 1))
			require.ErrorIs(t, err, trestle.ErrTenant)
			require.Equal(t, trestle.Applied, trestle.OutcomeOf(err), "the update was applied; only its reply is withheld")
			require.Zero(t, got)
		}
	})
}

// requireKey requires the key of an item in an error, and no value of the key in its texts.
func requireKey(t *testing.T, err error, item map[string]sdk.AttributeValue) {
	t.Helper()
	var failed *trestle.OpError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, map[string]sdk.AttributeValue{"PK": item["PK"], "SK": item["SK"]}, failed.Key)
	var withheld *tenancy.ReplyError
	require.ErrorAs(t, err, &withheld)
	text, bad := json.Marshal(withheld)
	require.NoError(t, bad)
	for _, text := range []string{fmt.Sprintf("%v %+v %#v", err, err, err), fmt.Sprintf("%v %+v %#v", withheld, withheld, withheld), string(text)} {
		require.NotContains(t, text, "ALBUM")
		require.NotContains(t, text, "PHOTO")
	}
}

// An item under a key of the tenant whose field has another tenant is withheld: a program that uses
// the field would go to the items of the other tenant. The handle can delete it.
func TestReply_foreignField(t *testing.T) {
	t.Parallel()
	onEach(t, "a", "ab", func(t *testing.T, w *world) {
		ctx, table := t.Context(), "photos"
		item, err := w.types.albums.Encode(&album{Tenant: "a", ID: "1"})
		require.NoError(t, err)
		put := func(tenant sdk.AttributeValue) {
			if item["tenant"] = tenant; tenant == nil {
				delete(item, "tenant")
			}
			_, err := w.raw.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
			require.NoError(t, err)
		}
		for _, none := range []sdk.AttributeValue{nil, &sdk.AttributeValueMemberNULL{Value: true}, &sdk.AttributeValueMemberS{}} {
			if w.layout.name == "raw" && none != nil {
				continue // the attribute is a key of an index
			}
			put(none)
			_, err = w.a.albums.Get(ctx, album{ID: "1"})
			require.NoError(t, err)
		}
		put(&sdk.AttributeValueMemberS{Value: "ab"})
		for _, albums := range []*entity.Repo[album]{w.a.albums, w.a.albums.With(entity.AttributeValues())} {
			got, err := albums.Get(ctx, album{ID: "1"})
			require.ErrorIs(t, err, trestle.ErrTenant)
			require.Zero(t, got)
			requireKey(t, err, item)
			many, err := albums.GetMany(ctx, []album{{ID: "1"}})
			require.ErrorIs(t, err, trestle.ErrTenant)
			require.Equal(t, []*album{nil}, many)
			found, err := query.Of(albums, album{ID: "1"}).Collect(ctx)
			require.ErrorIs(t, err, trestle.ErrTenant)
			require.Empty(t, found)
			requireKey(t, err, item)
			var into *album
			err = tx.Read(ctx, tx.Get(albums, album{ID: "1"}, &into))
			require.ErrorIs(t, err, trestle.ErrTenant)
			require.Nil(t, into)
		}
		require.NoError(t, w.a.albums.Delete(ctx, album{ID: "1"}))
		require.Empty(t, w.rows(t))
	})
}

// bothRows returns items as rows with their maps, and with their JSON.
func bothRows(t *testing.T, items ...map[string]sdk.AttributeValue) []core.Rows {
	t.Helper()
	var list itemjson.Items
	var body []byte
	for _, item := range items {
		var err error
		body, err = itemjson.Append(body, item)
		require.NoError(t, err)
	}
	for at := 0; at < len(body); {
		end, err := list.Add(body, at)
		require.NoError(t, err)
		at = end
	}
	return []core.Rows{core.NewRows(items), core.JSONRows(list)}
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
			&dynamodb.QueryOutput{LastEvaluatedKey: i}, &sdk.ConditionalCheckFailedException{Item: i},
			&sdk.TransactionCanceledException{CancellationReasons: []sdk.CancellationReason{{}, {Item: i}}},
		}
		if len(i) > 0 {
			list = append(
				list, &dynamodb.BatchGetItemOutput{UnprocessedKeys: map[string]sdk.KeysAndAttributes{"photos": {Keys: items{i}}}},
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
	single := []any{&dynamodb.GetItemOutput{}, &dynamodb.PutItemOutput{}, &dynamodb.DeleteItemOutput{}, &dynamodb.TransactGetItemsOutput{}}
	many := []any{&dynamodb.QueryOutput{}, &dynamodb.BatchGetItemOutput{}}
	for n, i := range fine {
		for _, reply := range replies(i) {
			require.NoError(t, check(reply), "%d %T", n, reply)
		}
		for _, rows := range bothRows(t, own, i) {
			for _, reply := range single {
				require.NoError(t, g.Rows(reply, rows), "%d %T", n, reply)
			}
			for _, reply := range many {
				require.Equal(t, len(i) == 0, g.Rows(reply, rows) != nil, "%d %T", n, reply)
			}
		}
	}
	for n, i := range foreign {
		for _, reply := range replies(i) {
			require.ErrorIs(t, check(reply), trestle.ErrTenant, "%d %T", n, reply)
		}
		for _, rows := range bothRows(t, own, i) {
			for _, reply := range slices.Concat(single, many) {
				require.ErrorIs(t, g.Rows(reply, rows), trestle.ErrTenant, "%d %T", n, reply)
			}
		}
	}
	require.NoError(t, (*tenancy.Guard)(nil).Rows(&dynamodb.QueryOutput{}, core.NewRows(foreign)))
	rows := func(out any, item map[string]sdk.AttributeValue) error {
		both := bothRows(t, item)
		err := g.Rows(out, both[0])
		require.Equal(t, err, g.Rows(out, both[1]))
		return err
	}
	require.NoError(t, rows(&dynamodb.UpdateItemOutput{}, map[string]sdk.AttributeValue{"title": text("x")}), "changed attributes need no key")
	require.ErrorIs(t, rows(&dynamodb.UpdateItemOutput{}, with("GSI1PK", text("T#ab"))), trestle.ErrTenant)
	require.NoError(t, rows(&dynamodb.GetItemOutput{}, with("GSI2PK", text("T#ab"))), "no type with a tenant has a key in GSI2PK")
	require.NoError(t, check(errors.New("x")))
	require.NoError(t, check(&dynamodb.TransactWriteItemsOutput{}))
	require.ErrorIs(t, check(&dynamodb.ScanOutput{}), trestle.ErrTenant)
	require.NoError(t, (*tenancy.Guard)(nil).Reply(&dynamodb.ScanOutput{}, nil))
}
