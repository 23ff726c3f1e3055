package maintain_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/maintain"
)

// passcard expires. It has a unique value, and a version of its type has another sort key.
type passcard struct {
	ID      string `dynamodbav:"id"`
	Code    string `dynamodbav:"code"`
	Team    string `dynamodbav:"team"`
	Expires int64  `dynamodbav:"expires"`
}

// passcardShop is a table of passcards. Its clock is ahead of the engine's, which therefore deletes
// no expired item.
type passcardShop struct {
	client *dynamodb.Client
	now    time.Time
}

func newPasscardShop(t *testing.T, client *dynamodb.Client) *passcardShop {
	t.Helper()
	shop := &passcardShop{client: client, now: time.Now().Add(time.Hour).Truncate(time.Second)}
	table, _ := shop.open(t, "PASSCARD", false)
	require.NoError(t, table.Create(t.Context()))
	return shop
}

// open opens the table with a template of the sort key, and with or without an index in use.
func (shop *passcardShop) open(t *testing.T, sort string, indexed bool, options ...entity.TableOption) (*entity.Table, *entity.Repo[passcard]) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}, Clock: func() time.Time { return shop.now }})
	spec := entity.Spec{
		Type: "passcard", Key: entity.KeySpec{PK: "PASSCARD#<id>", SK: sort}, Roles: map[string]string{"expires": "ttl"},
		Uniques: []entity.UniqueSpec{{Name: "code", Key: "<code>"}},
	}
	if indexed {
		spec.Indexes = []entity.IndexSpec{{Name: "by-team", On: "GSI1", PK: "TEAM#<team>", SK: "<id>"}}
	}
	of := entity.DefineSpec[passcard](s, spec)
	table, err := s.Open(shop.client, "passcards", options...)
	require.NoError(t, err)
	return table, of.In(table)
}

// expiring returns a passcard that expires in a minute.
func (shop *passcardShop) expiring(id, code string) *passcard {
	return &passcard{ID: id, Code: code, Team: "t", Expires: shop.now.Add(time.Minute).Unix()}
}

// stored returns the item of a passcard as it is stored, also if it has expired.
func (shop *passcardShop) stored(t *testing.T, id, sort string) avMap {
	t.Helper()
	out, err := shop.client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("passcards"), Key: avMap{"PK": avS("PASSCARD#" + id), "SK": avS(sort)}})
	require.NoError(t, err)
	return out.Item
}

// An expired item has no unique value, so Reindex claims no guard for it: neither the one that it
// had, nor the one that another item has now. Its index keys are set, because reads with
// ShowExpired return it.
func TestReindexClaimsNothingForExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, shop := t.Context(), newPasscardShop(t, e.Client(t))
		table, passcards := shop.open(t, "PASSCARD", false)
		require.NoError(t, passcards.Create(ctx, shop.expiring("1", "c")))
		require.NoError(t, passcards.Create(ctx, shop.expiring("2", "d")))
		shop.now = shop.now.Add(time.Minute)
		require.NoError(t, passcards.Create(ctx, &passcard{ID: "3", Code: "d"}), "the value is free")
		broken := shop.stored(t, "1", "PASSCARD")
		broken["PK"], broken["code"] = avS("PASSCARD#4"), &types.AttributeValueMemberBOOL{}
		_, err := shop.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("passcards"), Item: broken})
		require.NoError(t, err)

		report, err := maintain.Reindex(ctx, table, maintain.Run{}, passcards.Type())
		require.NoError(t, err)
		require.Equal(t, 4, report.Items)
		require.Zero(t, report.Updated+report.Moved+report.Created+report.Left)
		require.Zero(t, report.Capacity.Write)

		table, indexed := shop.open(t, "PASSCARD", true)
		report, err = maintain.Reindex(ctx, table, maintain.Run{}, indexed.Type())
		require.NoError(t, err)
		require.Equal(t, []int{2, 0, 0}, []int{report.Updated, report.Created, report.Left})
		require.Equal(t, avS("TEAM#t"), shop.stored(t, "2", "PASSCARD")["GSI1PK"])
		_, err = shop.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("passcards"), Key: avMap{"PK": broken["PK"], "SK": broken["SK"]}})
		require.NoError(t, err)
		require.NoError(t, testchecks.Guards(ctx, table))
	})
}

// With ShowExpired, an expired item exists for Reindex too: it moves, with its guard. A run after
// it changes nothing.
func TestReindexWithShowExpired(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, shop := t.Context(), newPasscardShop(t, e.Client(t))
		_, passcards := shop.open(t, "PASSCARD", false)
		require.NoError(t, passcards.Create(ctx, shop.expiring("1", "c")))
		shop.now = shop.now.Add(time.Minute)
		table, shown := shop.open(t, "NEW", false, entity.ShowExpired())
		report, err := maintain.Reindex(ctx, table, maintain.Run{}, shown.Type())
		require.NoError(t, err)
		require.Equal(t, []int{1, 1}, []int{report.Moved, report.Created})
		require.NotEmpty(t, shop.stored(t, "1", "NEW"))
		report, err = maintain.Reindex(ctx, table, maintain.Run{}, shown.Type())
		require.NoError(t, err)
		require.Zero(t, report.Moved+report.Created)
		require.Zero(t, report.Capacity.Write)
	})
}

// A move replaces an expired item that has the new key, as tx.Move does. It does not replace one
// that expires in the next second. An expired item does not move.
func TestReindexMovesOverExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for _, alive := range []bool{false, true} {
			ctx, shop := t.Context(), newPasscardShop(t, e.Client(t))
			_, passcards := shop.open(t, "PASSCARD", false)
			table, moved := shop.open(t, "NEW", false)
			require.NoError(t, passcards.Create(ctx, &passcard{ID: "1", Code: "live"}))
			require.NoError(t, passcards.Create(ctx, shop.expiring("2", "c")))
			require.NoError(t, moved.Create(ctx, shop.expiring("1", "x")))
			if shop.now = shop.now.Add(time.Minute); alive {
				shop.now = shop.now.Add(-time.Second)
			}
			report, err := maintain.Reindex(ctx, table, maintain.Run{}, moved.Type())
			if alive {
				var failed *maintain.Error
				require.ErrorAs(t, err, &failed)
				require.Equal(t, maintain.KeyTaken, failed.Problems[0].Kind)
				require.Equal(t, 1, report.Moved, "the other passcard")
				_, err := shop.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("passcards")})
				require.NoError(t, err)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, []int{1, 1, 0}, []int{report.Moved, report.Created, report.Left})
			v, err := moved.Get(ctx, passcard{ID: "1"})
			require.NoError(t, err)
			require.Equal(t, "live", v.Code)
			require.NotEmpty(t, shop.stored(t, "2", "PASSCARD"), "it has expired")
			require.NoError(t, testchecks.Guards(ctx, table))
			_, err = shop.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("passcards")})
			require.NoError(t, err)
		}
	})
}
