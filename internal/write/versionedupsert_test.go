package write_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// lease has every attribute that an upsert gives a new item.
type lease struct {
	_       entity.Key    `type:"lease" pk:"LEASE#<id>" sk:"LEASE#<at:day>" lifetime:"24h"`
	_       entity.Index  `name:"all" on:"GSI1" pk:"LEASES" sk:"<id>"`
	_       entity.Index  `name:"by-likes" on:"GSI2" pk:"LEASES" sk:"<likes:08>"`
	_       entity.Unique `name:"number" key:"<number:08>#<at:s>"`
	ID      string        `dynamodbav:"id"`
	At      time.Time     `dynamodbav:"at"`
	Title   string        `dynamodbav:"title"`
	Likes   int           `dynamodbav:"likes"`
	Number  int           `dynamodbav:"number"`
	Notes   int           `dynamodbav:"notes"`
	Made    time.Time     `dynamodbav:"made" entity:"created"`
	Changed time.Time     `dynamodbav:"changed" entity:"updated"`
	Ends    time.Time     `dynamodbav:"ends,unixtime" entity:"ttl"`
	Version int64         `dynamodbav:"version" entity:"version"`
}

type note struct {
	_     entity.Key     `type:"note" pk:"NOTE#<id>" sk:"NOTE"`
	_     entity.Counted `in:"lease" as:"notes" pk:"LEASE#<lease>" sk:"LEASE#<at:day>"`
	ID    string         `dynamodbav:"id"`
	Lease string         `dynamodbav:"lease"`
	At    time.Time      `dynamodbav:"at"`
}

var (
	leaseTitle  = attr.Must(func(x *lease) *string { return &x.Title })
	leaseLikes  = attr.Must(func(x *lease) *int { return &x.Likes })
	leaseNumber = attr.Must(func(x *lease) *int { return &x.Number })
	leaseEnds   = attr.Must(func(x *lease) *time.Time { return &x.Ends })
	leasedAt    = time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
)

// openLeases returns a repository of leases, whose clock stands still, and its table's client.
func openLeases(t *testing.T, e engines.Engine) (*entity.Repo[lease], *dynamodb.Client) {
	t.Helper()
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
	leases := entity.Define[lease](schema)
	entity.Define[note](schema)
	client, now := e.Client(t), time.Now().UTC().Truncate(time.Second)
	table, err := schema.Open(client, "leases", entity.Clock(func() time.Time { return now }))
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return leases.In(table), client
}

// TestVersionedUpsertChangesNoMoreThanUpdate: an item whose time to live was removed is permanent.
// An upsert with its version leaves it so.
func TestVersionedUpsertChangesNoMoreThanUpdate(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		repo, _ := openLeases(t, e)
		made := lease{ID: "a", At: leasedAt}
		require.NoError(t, repo.Create(ctx, &made))
		got, err := repo.With(entity.ReadFirst()).Update(ctx, made, leaseEnds.Remove())
		require.NoError(t, err)
		for _, with := range []*entity.Repo[lease]{repo, repo.With(entity.ReadFirst()), repo.With(entity.AsRead())} {
			got, err = with.Upsert(ctx, got, leaseTitle.Set("upserted"))
			require.NoError(t, err)
			require.Zero(t, got.Ends)
		}
		got, err = repo.Upsert(ctx, lease{ID: "a", At: leasedAt}, leaseTitle.Set("without a version"))
		require.NoError(t, err)
		require.NotZero(t, got.Ends)
	})
}

// TestAVersionedUpsertIsAnUpdate: with a version, both send the same request, and leave an item
// that lacks attributes in the same state.
func TestAVersionedUpsertIsAnUpdate(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		repo, client := openLeases(t, e)
		key, err := repo.Type().KeyOf(lease{ID: "a", At: leasedAt})
		require.NoError(t, err)
		// The item was stored before its type had indexes, counts and times.
		before := map[string]types.AttributeValue{"version": &types.AttributeValueMemberN{Value: "3"}, "PK": key["PK"], "SK": key["SK"]}
		after := func(write func() error) map[string]types.AttributeValue {
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("leases"), Item: before})
			require.NoError(t, err)
			require.NoError(t, write())
			out, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("leases"), ConsistentRead: aws.Bool(true)})
			require.NoError(t, err)
			for _, item := range out.Items {
				delete(item, "_w")
			}
			require.Len(t, out.Items, 1) // no guard
			return out.Items[0]
		}
		example := lease{ID: "a", At: leasedAt, Version: 3}
		changes := map[string]attr.Change[lease]{
			"plain": leaseTitle.Set("x"), "in an index": leaseLikes.Set(2), "unique": leaseNumber.Set(1), "expires": leaseEnds.Set(time.Now().Add(time.Hour)),
		}
		for name, change := range changes {
			for how, repo := range map[string]*entity.Repo[lease]{"": repo, ", read first": repo.With(entity.ReadFirst()), ", as read": repo.With(entity.AsRead())} {
				updated := after(func() error { _, err := repo.Update(ctx, example, change); return err })
				upserted := after(func() error { _, err := repo.Upsert(ctx, example, change); return err })
				require.Equal(t, updated, upserted, name+how)
				update, err := repo.Op().Update(example, change).Input()
				if err != nil {
					continue // it reads the item first
				}
				upsert, err := repo.Op().Upsert(example, change).Input()
				require.NoError(t, err)
				require.Equal(t, update, upsert, name+how)
			}
		}
	})
}
