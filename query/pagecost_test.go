package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// A page whose cursor would be too long has no items, but reports what was read and its cost.
func TestErrorOfAPageHasItsCost(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		open(t, client)
		table, err := schema.Open(client, "people", entity.Cursors(entity.CursorRing{Keys: []entity.CursorKey{cursorKey(1)}, MaxLength: 128}))
		require.NoError(t, err)
		r := employees.In(table)
		for _, end := range []string{"1", "2", "3"} {
			require.NoError(t, r.Put(t.Context(), &employee{CompanyID: "long", ID: strings.Repeat("i", 200) + end}))
		}
		page, err := query.Of(r, employee{CompanyID: "long"}).Limit(2).Page(t.Context(), "")
		require.ErrorIs(t, err, trestle.ErrLimit)
		require.Equal(t, query.Page[employee]{Scanned: 2, Requests: 1, Capacity: trestle.Capacity{Read: 0.5}}, page)
	})
}
