package entity_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// hold is in a computed shard, and expires.
type hold struct {
	ID      string    `dynamodbav:"id"`
	Uses    int       `dynamodbav:"uses"`
	Expires time.Time `dynamodbav:"expires"`
}

var holdUses = attr.Must(func(h *hold) *int { return &h.Uses })

// openHolds opens a table of holds with some numbers of shards.
func openHolds(t *testing.T, client trestle.Client, now *time.Time, shards ...int) (*entity.Repo[hold], *entity.Table) {
	t.Helper()
	s := entity.NewSchema(entity.Config{Clock: func() time.Time { return *now }})
	holds := entity.DefineSpec[hold](s, entity.Spec{
		Type: "hold", Key: entity.KeySpec{PK: "HOLD#<shard:id>", SK: "<id>", Shards: shards, Lifetime: time.Hour}, Roles: map[string]string{"expires": "ttl"},
	})
	table, err := s.Open(client, "holds")
	require.NoError(t, err)
	return holds.In(table), table
}

// An expired item counts as none in every shard where it may be, and a write that begins anew
// stores one item. Some IDs have the same shard of both numbers, and others do not.
func TestWritesTreatExpiredItemsOfEarlierShardsAsNone(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(t *testing.T, holds *entity.Repo[hold], id string) error{
		"create": func(t *testing.T, holds *entity.Repo[hold], id string) error {
			return holds.Create(t.Context(), &hold{ID: id, Uses: 1})
		},
		"create in a transaction": func(t *testing.T, holds *entity.Repo[hold], id string) error {
			return tx.Write(t.Context(), holds.Op().Create(&hold{ID: id, Uses: 1}), holds.Op().Put(&hold{ID: "other " + id}))
		},
		"put with a condition": func(t *testing.T, holds *entity.Repo[hold], id string) error {
			return holds.Put(t.Context(), &hold{ID: id, Uses: 1}, holdUses.NotExists())
		},
		"upsert": func(t *testing.T, holds *entity.Repo[hold], id string) error {
			h, err := holds.Upsert(t.Context(), hold{ID: id}, attr.Add(holdUses, 1))
			if err == nil && h.Uses > 1 {
				return trestle.ErrExists // it did not begin anew
			}
			return err
		},
		"move": func(t *testing.T, holds *entity.Repo[hold], id string) error {
			require.NoError(t, holds.Put(t.Context(), &hold{ID: "other " + id}))
			_, err := tx.Move(holds, hold{ID: "other " + id}, &hold{ID: id, Uses: 1}).Do(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engines.Each(t, func(t *testing.T, e engines.Engine) {
				client, now := e.Client(t), time.Now().Add(time.Hour)
				before, table := openHolds(t, client, &now, 3)
				after, _ := openHolds(t, client, &now, 3, 7)
				require.NoError(t, table.Create(t.Context()))
				for i, repo := range []*entity.Repo[hold]{before, before, before, before, after} {
					id := fmt.Sprint(i)
					require.NoError(t, repo.Create(t.Context(), &hold{ID: id, Uses: 7}))
					require.Error(t, write(t, after, id), "the negative control: the hold has not expired")
					require.NoError(t, after.Overwrite(t.Context(), &hold{ID: id, Uses: 7}))
					now = now.Add(time.Hour)
					require.NoError(t, write(t, after, id), id)
					got, err := after.Get(t.Context(), hold{ID: id})
					require.NoError(t, err)
					require.Equal(t, 1, got.Uses)
					n := 0
					for h, err := range query.Scan(after).ShowExpired().All(t.Context()) {
						require.NoError(t, err)
						if h.ID == id {
							n++
						}
					}
					require.Equal(t, 1, n, "the hold is stored once")
				}
			})
		})
	}
}

// deletesFirst deletes an item before the first write of an item, as DynamoDB deletes expired ones.
type deletesFirst struct {
	*dynamodb.Client
	armed *bool
	first func()
}

func (d deletesFirst) before() {
	if *d.armed {
		*d.armed = false
		d.first()
	}
}

func (d deletesFirst) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	d.before()
	return d.Client.PutItem(ctx, in, o...)
}

func (d deletesFirst) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	d.before()
	return d.Client.TransactWriteItems(ctx, in, o...)
}

// A write that has found an expired item in an earlier shard does not create an item there after
// the expired one is deleted.
func TestWritesLookAgainForDeletedExpiredItems(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client, now, armed := e.Client(t), time.Now().Add(time.Hour), false
		before, table := openHolds(t, client, &now, 3)
		only, _ := openHolds(t, client, &now, 7)
		require.NoError(t, table.Create(t.Context()))
		deleted := "" // the ID
		after, _ := openHolds(t, client, &now, 3, 7)
		gone := deletesFirst{client, &armed, func() { require.NoError(t, before.Delete(t.Context(), hold{ID: deleted})) }}
		holds, _ := openHolds(t, gone, &now, 3, 7)
		for i := range 4 {
			for name, write := range map[string]func(id string) error{
				"create": func(id string) error { return holds.Create(t.Context(), &hold{ID: id}) },
				"move": func(id string) error {
					_, err := tx.Move(holds, hold{ID: "other " + id}, &hold{ID: id}).Do(t.Context())
					return err
				},
			} {
				deleted = fmt.Sprint(name, i)
				require.NoError(t, before.Create(t.Context(), &hold{ID: deleted}))
				now = now.Add(time.Hour)
				require.NoError(t, after.Put(t.Context(), &hold{ID: "other " + deleted}))
				armed = true
				require.NoError(t, write(deleted))
				require.False(t, armed)
				_, err := only.Get(t.Context(), hold{ID: deleted})
				require.NoError(t, err, "the new item is in a shard of 7")
			}
		}
	})
}
