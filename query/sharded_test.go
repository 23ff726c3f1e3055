package query_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// chat and bell are types of one item collection with different numbers of shards.
type (
	chat struct {
		_     entity.Key `type:"chat" pk:"ROOM#<room>#<shard>" sk:"CHAT#<id>" shards:"3"`
		Room  string     `dynamodbav:"room"`
		ID    string     `dynamodbav:"id"`
		Shard *int       `dynamodbav:"shard" entity:"shard"`
	}
	bell struct {
		_    entity.Key `type:"bell" pk:"ROOM#<room>#<shard:id>" sk:"BELL#<id>" shards:"2,9"`
		Room string     `dynamodbav:"room"`
		ID   string     `dynamodbav:"id"`
	}
)

var (
	roomSchema = entity.NewSchema(entity.Config{})
	chats      = entity.Define[chat](roomSchema)
	bells      = entity.Define[bell](roomSchema)
	chatShard  = attr.Must(func(c *chat) **int { return &c.Shard })
	chatID     = attr.Must(func(c *chat) *string { return &c.ID })
)

func fillRoom(t *testing.T, e engines.Engine) (*entity.Repo[chat], *entity.Repo[bell]) {
	t.Helper()
	table, err := roomSchema.Open(e.Client(t), "rooms", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	c, k := chats.In(table), bells.In(table)
	for i := range 30 {
		require.NoError(t, c.Create(t.Context(), &chat{Room: "a", ID: fmt.Sprintf("%02d", i)}))
		require.NoError(t, k.Create(t.Context(), &bell{Room: "a", ID: fmt.Sprintf("%02d", i)}))
	}
	return c, k
}

// An item collection has the shards of all its types.
func TestShardedCollections(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c, k := fillRoom(t, e)
		both := query.Of(c.Strong(), chat{Room: "a"}).Collection()
		var names []string
		for item, err := range query.Items(t.Context(), both) {
			require.NoError(t, err)
			switch item := item.(type) {
			case chat:
				names = append(names, "CHAT#"+item.ID)
			case bell:
				names = append(names, "BELL#"+item.ID)
			}
		}
		require.Len(t, names, 60)
		require.IsIncreasing(t, names)
		n, err := both.Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 60, n)
		n, err = both.Prefix("BELL#1").Count(t.Context())
		require.NoError(t, err)
		require.Equal(t, 10, n)
		var view struct {
			Chats []chat
			Bells []bell
		}
		require.NoError(t, query.Load(t.Context(), both, &view))
		require.Len(t, view.Chats, 30)
		require.Len(t, view.Bells, 30)
		cursor, seen := "", 0
		for {
			p, err := both.Page(t.Context(), cursor)
			require.NoError(t, err)
			seen += len(p.Items)
			if cursor = p.Next; cursor == "" {
				break
			}
		}
		require.Equal(t, 60, seen)
		deleted, err := both.Delete(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"chat": 30, "bell": 30}, deleted.ByType)
		n, err = query.Of(k.Strong(), bell{Room: "a"}).Count(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// A condition on a random shard, or the shard of the example, selects the shards to read.
func TestQueriesOfOneRandomShard(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c, _ := fillRoom(t, e)
		all := 0
		for shard := range 3 {
			q := query.Of(c.Strong(), chat{Room: "a"}).Where(chatShard.Eq(&shard))
			found, err := q.Collect(t.Context())
			require.NoError(t, err)
			for _, item := range found {
				require.Equal(t, shard, *item.Shard)
			}
			inputs, err := q.Inputs()
			require.NoError(t, err)
			require.Len(t, inputs, 1)
			again, err := query.Of(c.Strong(), chat{Room: "a", Shard: &shard}).Collect(t.Context())
			require.NoError(t, err)
			require.Equal(t, found, again)
			all += len(found)
		}
		require.Equal(t, 30, all)
		for n, cond := range map[int]attr.KeyCond[chat]{2: chatShard.Between(aws.Int(0), aws.Int(1)), 1: chatShard.Gt(aws.Int(1))} {
			q := query.Of(c.Strong(), chat{Room: "a"}).Where(cond)
			inputs, err := q.Inputs()
			require.NoError(t, err)
			require.Len(t, inputs, n)
			found, err := q.Collect(t.Context())
			require.NoError(t, err)
			for _, item := range found {
				require.Equal(t, n == 2, *item.Shard < 2)
			}
		}
		found, err := query.Of(c.Strong(), chat{Room: "a"}).Where(chatShard.Gt(aws.Int(2))).Collect(t.Context())
		require.NoError(t, err)
		require.Empty(t, found)
		got, err := query.Of(c.Strong(), chat{Room: "a"}).Where(chatID.Eq("07")).One(t.Context())
		require.NoError(t, err)
		require.Equal(t, "07", got.ID)
	})
}

// A budget below the number of shards can never return an item, so it is refused.
func TestShardedBudgets(t *testing.T) {
	t.Parallel()
	c, _ := fillRoom(t, engines.Engine{Name: engines.InProcess})
	q := query.Of(c.Strong(), chat{Room: "a"})
	_, err := q.MaxRequests(2).Collect(t.Context())
	require.ErrorIs(t, err, trestle.ErrInvalid)
	for _, bounded := range []query.Query[chat]{q.MaxRequests(3), q.MaxUnits(0.5), q.MaxRequests(3).PageSize(1), q.MaxUnits(1).PageSize(2)} {
		for _, filtered := range []query.Query[chat]{bounded, bounded.Filter(chatID.Eq("none"))} {
			cursor, seen := "", 0
			for n := 0; ; n++ {
				require.Less(t, n, 100, "the pages end")
				p, err := filtered.Limit(4).Page(t.Context(), cursor)
				require.NoError(t, err)
				seen += len(p.Items)
				if cursor = p.Next; cursor == "" {
					break
				}
			}
			require.Contains(t, []int{0, 30}, seen)
		}
	}
}
