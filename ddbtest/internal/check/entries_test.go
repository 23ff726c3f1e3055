package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func TestEntriesSize(t *testing.T) {
	t.Parallel()
	local := &store.Index{Name: "local", Local: true, Key: key("pk:S", "|", "l:S")}
	global := &store.Index{Name: "global", Key: key("l:S")}
	for _, c := range []struct {
		indexes []*store.Index
		entries int // the item and the local index entries
	}{
		{nil, 1},
		{[]*store.Index{global}, 1},
		{[]*store.Index{local}, 2},
		{[]*store.Index{local, {Name: "again", Local: true, Key: local.Key}, global}, 3},
		{[]*store.Index{{Name: "other", Local: true, Key: key("pk:S", "|", "none:S")}}, 1},
	} {
		_, table := newTable(c.indexes...)
		for over := -1; over <= 1; over++ {
			item := value.MapOf(attr("pk", text(1)), attr("sk", number(1)), attr("l", text(1)), attr("x", text(0)))
			item = item.With("x", text(check.MaxItem/c.entries+over-item.Size()))
			want, wantUpdated := "", ""
			if item.Size()*c.entries > check.MaxItem {
				want, wantUpdated = "Item size has exceeded the maximum allowed size", "Item size to update has exceeded the maximum allowed size"
			}
			wantMessage(t, want, check.EntriesSize(table, item))
			wantMessage(t, wantUpdated, check.UpdatedEntriesSize(table, item))
		}
	}
	require.NoError(t, check.EntriesSize(&store.Table{}, nil))
}
