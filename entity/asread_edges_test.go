package entity_test

import (
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
	"github.com/trestledb/trestle/internal/engines"
)

// Ranked is embedded by pointer.
type Ranked struct {
	Rank int `dynamodbav:"rank"`
}

type lot struct {
	ID     string     `dynamodbav:"id"`
	Bucket string     `dynamodbav:"bucket"`
	Due    *time.Time `dynamodbav:"due,omitempty"`
	Made   time.Time  `dynamodbav:"made"`
	Saved  time.Time  `dynamodbav:"saved"`
	Rev    int64      `dynamodbav:"rev"`
	*Ranked
}

var lotBucket = attr.Must(func(l *lot) *string { return &l.Bucket })

func lots(t *testing.T, e engines.Engine, sk string, roles map[string]string) (*dynamodb.Client, *entity.Repo[lot]) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	lots := entity.DefineSpec[lot](s, entity.Spec{
		Type: "lot", Key: entity.KeySpec{PK: "LOT#<id>", SK: "LOT"}, Roles: roles,
		Indexes: []entity.IndexSpec{{Name: "by-bucket", On: "GSI1", PK: "B#<bucket>", SK: sk}},
	})
	client, table := open(t, e, s)
	return client, lots.In(table)
}

// A number behind a nil embedded pointer is absent, not 0. An item that has the number as 0 is on
// the index.
func TestAsReadOfEmbeddedPointer(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		_, repo := lots(t, e, "R#<rank:04>", nil)
		require.NoError(t, repo.Put(ctx, &lot{ID: "1", Bucket: "a"}))
		read, err := repo.Get(ctx, lot{ID: "1"})
		require.NoError(t, err)
		require.NoError(t, repo.Put(ctx, &lot{ID: "1", Bucket: "a", Ranked: &Ranked{}}))
		_, err = repo.With(entity.AsRead()).Update(ctx, read, lotBucket.Set("b"))
		requireOutcome(t, err, trestle.ErrCondition, trestle.NotApplied)
		require.NotEmpty(t, hintOf(t, err))
		require.NoError(t, repo.Put(ctx, &lot{ID: "1", Bucket: "a"}))
		_, err = repo.With(entity.AsRead()).Update(ctx, read, lotBucket.Set("b"))
		require.NoError(t, err)
	})
}

// A pointer to the zero time is absent in keys, but is stored as an attribute.
func TestAsReadOfAPointerToZero(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client, repo := lots(t, e, "D#<due:s>", map[string]string{"rev": "version"})
		l := lot{ID: "1", Bucket: "a", Due: &time.Time{}}
		require.NoError(t, repo.Put(ctx, &l))
		_, err := repo.Upsert(ctx, l, lotBucket.Set("b"))
		require.NoError(t, err)
		edit(t, client, map[string]types.AttributeValue{"PK": avS("LOT#1"), "SK": avS("LOT")}, "due", avS("0001-01-01T00:00:00Z"))
		l, err = repo.Get(ctx, lot{ID: "1"})
		require.NoError(t, err)
		_, err = repo.Update(ctx, l, lotBucket.Set("c"))
		require.NoError(t, err)
	})
}

// An Upsert with AsRead uses the creation time of the example, although an Upsert sets it for new
// items.
func TestUpsertAsReadKeepsTheCreationTime(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client, repo := lots(t, e, "C#<made:s>#<saved:s>", map[string]string{"rev": "version", "made": "created", "saved": "updated"})
		l := lot{ID: "1", Bucket: "a"}
		require.NoError(t, repo.Create(ctx, &l))
		up, err := repo.Upsert(ctx, l, lotBucket.Set("b"))
		require.NoError(t, err)
		require.True(t, up.Made.Equal(l.Made))
		require.Equal(t, avS("B#b"), stored(t, client, "things", map[string]types.AttributeValue{"PK": avS("LOT#1"), "SK": avS("LOT")})["GSI1PK"])
		_, err = repo.Upsert(ctx, l, lotBucket.Set("c"))
		requireOutcome(t, err, trestle.ErrStale, trestle.NotApplied)
	})
}

// Version 0 means no item, or an item of the type with an absent, NULL or 0 version. It does not
// match an item of another type.
func TestVersionZeroOfNamedTypes(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		client, repo := lots(t, e, "LOT", map[string]string{"rev": "version"})
		put := func(typ string, version types.AttributeValue) {
			item := map[string]types.AttributeValue{"PK": avS("LOT#1"), "SK": avS("LOT"), "id": avS("1"), "_type": avS(typ)}
			if version != nil {
				item["rev"] = version
			}
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: item})
			require.NoError(t, err)
		}
		put("another", nil)
		requireOutcome(t, repo.Put(ctx, &lot{ID: "1"}), trestle.ErrExists, trestle.NotApplied)
		for _, version := range []types.AttributeValue{nil, avN("0"), &types.AttributeValueMemberNULL{Value: true}} {
			put("lot", version)
			l, err := repo.Get(ctx, lot{ID: "1"})
			require.NoError(t, err)
			again := l
			require.NoError(t, repo.Put(ctx, &l))
			require.EqualValues(t, 1, l.Rev)
			requireOutcome(t, repo.Put(ctx, &again), trestle.ErrStale, trestle.NotApplied)
		}
	})
}

// level is an enumeration that starts at 0 and has a text form.
type level int

func (l level) MarshalText() ([]byte, error) { return []byte(strings.Repeat("x", int(l)+1)), nil }
func (l *level) UnmarshalText(text []byte) error {
	*l = level(len(text) - 1)
	return nil
}

// The zero of an enumeration is present in a key, with or without a text form.
func TestZeroOfAnEnumerationIsAValue(t *testing.T) {
	t.Parallel()
	type entry struct {
		ID    string `dynamodbav:"id"`
		Level level  `dynamodbav:"level"`
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	entries := entity.DefineSpec[entry](s, entity.Spec{
		Type: "entry", Key: entity.KeySpec{PK: "E#<id>", SK: "E"}, Indexes: []entity.IndexSpec{{Name: "by-level", On: "GSI1", PK: "L#<level>", SK: "E"}},
	})
	item, err := entries.Encode(&entry{ID: "1"})
	require.NoError(t, err)
	require.Equal(t, avS("L#x"), item["GSI1PK"])
}
