package query_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// gauge is a value that is stored by day, and each day in four shards.
type gauge struct {
	_  entity.Key `type:"gauge" pk:"R#<at:day>#<shard:id>" sk:"<at:s>#<id>" shards:"4"`
	At time.Time  `dynamodbav:"at"`
	ID string     `dynamodbav:"id"`
}

// A budget in units ends a read of many empty days, after the first request for each shard of the
// first day. The cursor continues after what was read.
func TestUnitsOfShardsAndPeriods(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	const days, shards, units = 100, 4, 3
	s := entity.NewSchema(entity.Config{})
	readings := entity.Define[gauge](s)
	at := attr.Must(func(r *gauge) *time.Time { return &r.At })
	db := ddbtest.Start(t)
	table, err := s.Open(db.Client(), "readings", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	repo := readings.In(table)
	for i := range 3 {
		require.NoError(t, repo.Put(t.Context(), &gauge{At: day(1).AddDate(0, 0, 80+i), ID: fmt.Sprint(i)}))
	}
	for _, atOnce := range []int{1, 3} {
		q := query.Of(repo, gauge{}).Where(at.Between(day(1), day(1).AddDate(0, 0, days-1))).Periods(days, atOnce).MaxUnits(units)
		// Requests that run at the same time were sent before any was accounted for.
		most := max(units, shards*0.5) + float64(atOnce*shards)*0.5
		_, err := q.Collect(t.Context())
		require.ErrorIs(t, err, query.ErrBudget)
		_, err = q.Count(t.Context())
		require.ErrorIs(t, err, query.ErrBudget)
		cursor, found, pages := "", 0, 0
		for {
			cost := db.Measure(func() {
				p, err := q.Page(t.Context(), cursor)
				require.NoError(t, err)
				cursor, found, pages = p.Next, found+len(p.Items), pages+1
			})
			require.LessOrEqual(t, cost.ReadUnits, most)
			if cursor == "" {
				break
			}
		}
		require.Equal(t, 3, found)
		require.GreaterOrEqual(t, float64(pages), days*shards*0.5/most)
	}
}
