package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestAFilterHasItsLimit scans many small items with filters of several sizes. A filter that must
// evaluate too many bytes ends the page, and the scan continues on the next one. An ordinary filter
// does not.
func TestAFilterHasItsLimit(t *testing.T) {
	t.Parallel()
	const items, large = 3_000, 500_000
	rows := make([]value.Map, items)
	for i := range rows {
		rows[i] = row("p", fmt.Sprint(i), value.Attribute{Name: "x", Value: value.String("x")})
	}
	db := newDB(t, rows...)
	scan := func(size int, start value.Map) *api.PageOutput {
		in := &api.ScanInput{TableName: tableName, FilterExpression: pointer("begins_with(:v, x)"), ExclusiveStartKey: start, ConsistentRead: true}
		in.ExpressionAttributeValues = map[string]value.Value{":v": value.String(strings.Repeat("x", size))}
		out, err := Scan(call(db, engine.Overrides{}), in)
		require.NoError(t, err)
		require.Equal(t, out.ScannedCount, out.Count)
		return out
	}
	ordinary := scan(10_000, nil)
	require.Equal(t, items, ordinary.Count)
	require.Nil(t, ordinary.LastEvaluatedKey)

	first := scan(large, nil)
	require.InDelta(t, maxFiltered/large, first.Count, 1)
	require.NotNil(t, first.LastEvaluatedKey)
	second := scan(large, first.LastEvaluatedKey)
	require.Equal(t, items, first.Count+second.Count)
	require.Nil(t, second.LastEvaluatedKey)
}
