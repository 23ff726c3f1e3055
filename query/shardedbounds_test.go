package query_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// stair is stored under its number, in one of two shards.
type stair struct {
	_ entity.Key `type:"stair" pk:"STAIR#<shard:n>" sk:"<n:03>" shards:"2"`
	N int        `dynamodbav:"n"`
}

// Small pages with a small budget end also if a shard has an item at a bound that the condition
// excludes: a request that continues before the bound includes it.
func TestShardsAtAnExcludedBound(t *testing.T) {
	t.Parallel()
	const steps = 12
	s := entity.NewSchema(entity.Config{})
	types := entity.Define[stair](s)
	number := attr.Must(func(e *stair) *int { return &e.N })
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table, err := s.Open(e.Client(t), "steps", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		r := types.In(table)
		for n := range steps {
			require.NoError(t, r.Put(t.Context(), &stair{N: n}))
		}
		for bound := range steps {
			for _, c := range []struct {
				q    query.Query[stair]
				want int
			}{
				{query.Of(r, stair{}).Where(number.Lt(bound)), bound},
				{query.Of(r, stair{}).Where(number.Gt(bound)).Desc(), steps - bound - 1},
			} {
				q := c.q.PageSize(1).MaxRequests(2)
				seen, cursor := map[int]bool{}, ""
				for pages := 1; ; pages++ {
					require.LessOrEqual(t, pages, 4*steps, "the pages do not end")
					p, err := q.Page(t.Context(), cursor)
					require.NoError(t, err)
					for _, found := range p.Items {
						require.False(t, seen[found.N], "twice")
						require.NotEqual(t, bound, found.N)
						seen[found.N] = true
					}
					if cursor = p.Next; cursor == "" {
						break
					}
				}
				require.Len(t, seen, c.want)
			}
		}
	})
}

// A condition on a time that the sort key has in longer periods than the partition key is refused.
func TestPeriodsOfACoarserSortKey(t *testing.T) {
	t.Parallel()
	type hourly struct {
		_  entity.Key `type:"hourly" pk:"H#<at:hour>" sk:"<at:day>#<id>"`
		At time.Time  `dynamodbav:"at"`
		ID string     `dynamodbav:"id"`
	}
	s := entity.NewSchema(entity.Config{})
	types := entity.Define[hourly](s)
	at := attr.Must(func(e *hourly) *time.Time { return &e.At })
	db := ddbtest.Start(t)
	table, err := s.Open(db.Client(), "hourly")
	require.NoError(t, err)
	r := types.In(table)
	sent := len(db.Requests())
	_, err = query.Of(r, hourly{}).Where(attr.During(at, attr.Day(2026, 8, 1))).Collect(t.Context())
	require.ErrorIs(t, err, trestle.ErrInvalid)
	require.Len(t, db.Requests(), sent)
}
