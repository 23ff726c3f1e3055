package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func TestSizeOfAnItem(t *testing.T) {
	t.Parallel()
	const tooLarge, updatedTooLarge = "Item size has exceeded the maximum allowed size", "Item size to update has exceeded the maximum allowed size"
	for over, want := range map[int][2]string{-1: {}, 0: {}, 1: {tooLarge, updatedTooLarge}} {
		for _, item := range []value.Map{
			value.MapOf(attr("pk", text(check.MaxItem-2+over))),
			value.MapOf(attr("pk", number(7)), attr("long", octets(check.MaxItem-8+over))),
			value.MapOf(attr("m", value.MapOf(attr("l", value.List{text(check.MaxItem - 10 + over)})))),
		} {
			requireMessage(t, want[0], check.Size(item))
			requireMessage(t, want[1], check.UpdatedSize(item))
		}
	}
}

func TestChargeOfAnUpdate(t *testing.T) {
	t.Parallel()
	requireMessage(t, "", check.UpdateCharge(check.MaxItem))
	requireMessage(t, "Item size to update has exceeded the maximum allowed size", check.UpdateCharge(check.MaxItem+1))
}

func TestSizeOfAName(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("n", check.MaxName)
	for name, want := range map[string]string{
		longest:       "",
		longest + "n": "Attribute name is too large, must be less than 65536 bytes",
	} {
		inner := value.MapOf(attr(name, value.Null{}))
		for _, item := range []value.Map{
			inner,
			value.MapOf(attr("a", text(1)), attr("m", inner)),
			value.MapOf(attr("l", value.List{value.Bool(true), value.List{inner}})),
		} {
			requireMessage(t, want, check.Size(item))
			requireMessage(t, want, check.UpdatedSize(item))
		}
	}
}

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
			requireMessage(t, want, check.EntriesSize(table, item))
			requireMessage(t, wantUpdated, check.UpdatedEntriesSize(table, item))
		}
	}
	require.NoError(t, check.EntriesSize(&store.Table{}, nil))
}
