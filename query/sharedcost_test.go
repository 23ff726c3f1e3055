package query_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// If types share a key, the cost of reading a few items of one type is small. The query reads the
// items before them once, and at most as many items again after them. The number of requests grows
// with the logarithm of the number of items. Reading whole pages would cost as much as the whole
// partition.
func TestSharedKeysReadFewItems(t *testing.T) {
	t.Parallel()
	for _, typeAttribute := range []string{"", entity.None} {
		s := entity.NewSchema(entity.Config{TypeAttribute: typeAttribute, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		visits, calls := entity.Define[visit](s), entity.Define[call](s)
		db := ddbtest.Start(t)
		table, err := s.Open(db.Client(), "guests", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		for _, before := range []int{0, 1, 2, 7, 64, 300} {
			guest := fmt.Sprint(before)
			var items []map[string]types.AttributeValue
			for i := range 1000 { // many calls first, then visits and calls alternate
				at := day(1).AddDate(0, 0, i)
				item, err := calls.Encode(&call{Name: guest, ID: fmt.Sprint(i), Began: at})
				if i >= before && (i-before)%2 == 0 {
					item, err = visits.Encode(&visit{Name: guest, ID: fmt.Sprint(i), At: at})
				}
				require.NoError(t, err)
				items = append(items, item)
			}
			db.Load(t, "guests", items...)
			q := query.On(visits.In(table), "by-time", visit{Name: guest})
			for n, read := range map[int]func() (int, error){
				1:  func() (int, error) { _, err := q.First(t.Context()); return 1, err },
				10: func() (int, error) { p, err := q.Limit(10).Page(t.Context(), ""); return len(p.Items), err },
				20: func() (int, error) { all, err := q.Limit(20).Collect(t.Context()); return len(all), err },
			} {
				var found int
				cost := db.Measure(func() { found, err = read() })
				require.NoError(t, err)
				require.Equal(t, n, found)
				needed := before + 2*n - 1
				require.LessOrEqual(t, cost.Evaluated, 2*needed+n, "%d behind %d", n, before)
				require.LessOrEqual(t, cost.Total(), 2+bits.Len(uint(needed)), "%d behind %d", n, before)
			}
		}
	}
}
