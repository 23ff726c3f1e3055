package query_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// A cursor is rejected after a change of the number of shards that a query reads. It stays valid if
// only the order of the numbers changes, as in the second step of a growth.
func TestCursorsOfOtherNumbersOfShards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open := func(shards ...int) *entity.Repo[event] {
			s := entity.NewSchema(entity.Config{})
			events := entity.DefineSpec[event](s, entity.Spec{
				Type: "event", Key: entity.KeySpec{PK: "E#<owner>#<shard:id>", SK: "<id>", Shards: shards},
			})
			table, err := s.Open(client, "events", entity.PlainCursors())
			require.NoError(t, err)
			if len(shards) == 1 && shards[0] == 3 {
				require.NoError(t, table.Create(t.Context()))
			}
			return events.In(table)
		}
		page := func(r *entity.Repo[event], cursor string) (query.Page[event], error) {
			return query.Of(r, event{Owner: "o"}).Limit(1).Page(t.Context(), cursor)
		}
		before := open(3)
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, before.Put(t.Context(), &event{Owner: "o", ID: id}))
		}
		first, err := page(before, "")
		require.NoError(t, err)
		_, err = page(open(3, 4), first.Next)
		require.ErrorIs(t, err, query.ErrCursor)
		_, err = page(open(2), first.Next)
		require.ErrorIs(t, err, query.ErrCursor)

		between := open(4, 3)
		first, err = page(between, "")
		require.NoError(t, err)
		second, err := page(open(3, 4), first.Next)
		require.NoError(t, err)
		require.Equal(t, []string{"b"}, eventIDs(second.Items))
	})
}

// The maximum length of a cursor is that of one position. A cursor of shards that a budget ended
// has a base, and a position of each shard.
func TestLongestCursorsOfShards(t *testing.T) {
	t.Parallel()
	owner := strings.Repeat("o", 1000)
	longest := 0 // of one shard
	for _, shards := range []int{1, 2} {
		s, events := eventSchema("E#<owner>#<shard:id>", "S#<owner>", "<at:s>#<id>", []int{shards})
		table, err := s.Open(ddbtest.Start(t).Client(), "events", entity.Cursors(entity.CursorRing{Keys: ring.Keys, MaxLength: longest}))
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for i := range 40 {
			require.NoError(t, events.In(table).Put(t.Context(), &event{Owner: owner, At: eventStart.Add(time.Duration(i) * time.Minute), ID: fmt.Sprintf("%02d", i), Even: i%5 < 2}))
		}
		q := query.Of(events.In(table), event{Owner: owner}).Filter(eventEven.Eq(true)).PageSize(1).MaxRequests(4)
		found := 0
		for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
			page, err := q.Page(t.Context(), cursor)
			require.NoError(t, err)
			found, cursor = found+len(page.Items), page.Next
			if shards == 1 {
				longest = max(longest, len(cursor))
			}
		}
		require.Equal(t, 16, found)
	}
}
