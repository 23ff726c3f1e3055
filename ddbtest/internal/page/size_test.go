package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// sized returns n rows of that many bytes, in one partition.
func sized(n, size int) []value.Map {
	rows := make([]value.Map, n)
	for i := range rows {
		r := row("p", fmt.Sprint(10+i), value.Attribute{Name: "a", Value: value.String("a")}, value.Attribute{Name: "x", Value: value.String("")})
		rows[i] = r.With("x", value.String(strings.Repeat("x", size-r.Size())))
	}
	return rows
}

// TestAPageIsFullAt1MB checks that a page includes the row that reaches 1 MB, and has a
// LastEvaluatedKey only if another row follows.
func TestAPageIsFullAt1MB(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ size, rows, taken int }{
		{256 << 10, 5, 4}, {256<<10 - 1, 6, 5}, {256<<10 + 1, 5, 4}, {256 << 10, 4, 4}, {256 << 10, 3, 3},
	} {
		db := newDB(t, sized(c.rows, c.size)...)
		for _, q := range []testQuery{
			{condition: "pk = :p", values: map[string]value.Value{":p": value.String("p")}},
			{index: "byText", condition: "a = :a", values: map[string]value.Value{":a": value.String("a")}},
			{index: "local"}, {},
		} {
			for _, filter := range []string{"", "attribute_not_exists(x)"} {
				q.filter = filter
				out, err := q.run(call(db, engine.Steer{}), nil)
				require.NoError(t, err)
				require.Equal(t, c.taken, out.ScannedCount, "%+v %+v", c, q)
				require.Equal(t, c.taken < c.rows, out.LastEvaluatedKey != nil, "%+v %+v", c, q)
			}
		}
	}
}

// TestAPageThatFetchesIsFullByWhatIsCharged checks the charged size: all entries together, plus
// each row, in whole read units.
func TestAPageThatFetchesIsFullByWhatIsCharged(t *testing.T) {
	t.Parallel()
	for size, taken := range map[int]int{32 << 10: 32, 32<<10 + 1: 29, 28<<10 + 1: 32, 28 << 10: 37} {
		db := projecting(t)
		require.NoError(t, db.Update(func(s *store.State) error {
			for _, r := range sized(40, size) {
				s.Put(s.Tables[tableName], r)
			}
			s.Delete(s.Tables[tableName], row("p", "1"))
			return nil
		}))
		in := queryOf(condition("localKeys", "pk = :p", ":p", value.String("p")))
		in.Select = allAttributes
		out, err := Query(call(db, engine.Steer{}), in)
		require.NoError(t, err)
		require.Equal(t, taken, out.ScannedCount, "rows of %d bytes", size)
		require.NotNil(t, out.LastEvaluatedKey)
		in.Select = ""
		out, err = Query(call(db, engine.Steer{}), in)
		require.NoError(t, err)
		require.Equal(t, 40, out.ScannedCount, "entries alone")
	}
}
